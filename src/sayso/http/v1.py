"""HTTP v1: the one table of its routes."""

from sayso.http.routes import Route

_ORG = "/v1/orgs/{org}/playbooks"
_PLAYBOOK = _ORG + "/{playbook}"
_DEFINITIONS = _PLAYBOOK + "/definitions/{type}"
_DEFINITION = _DEFINITIONS + "/{name}"
_RUNS = _PLAYBOOK + "/runs"
_RUN = _RUNS + "/{run_id}"

TABLE = (
    Route("POST", _ORG, "create_playbook", 201),
    Route("GET", _ORG, "list_playbooks"),
    Route("GET", _PLAYBOOK, "get_playbook"),
    Route("PUT", _PLAYBOOK, "update_playbook"),
    Route("POST", _DEFINITIONS, "create_definition", 201),
    Route("GET", _DEFINITIONS, "list_definitions"),
    Route("GET", _DEFINITION, "get_definition"),
    Route("PUT", _DEFINITION, "update_definition"),
    Route("POST", _DEFINITION + "/retire", "retire_definition"),
    Route("GET", _DEFINITION + "/versions", "list_definition_versions"),
    Route("GET", _DEFINITION + "/diff", "compare_definition"),
    Route("POST", _DEFINITION + "/run", "run_definition"),
    Route("GET", _RUNS, "list_runs"),
    Route("GET", _RUN, "get_run"),
    Route("GET", _RUN + "/history", "get_run_history"),
    Route("POST", _RUN + "/cancel", "cancel_run"),
    Route("POST", _RUN + "/erase", "erase_run"),
    Route("POST", _RUN + "/answer", "answer_interaction"),
    Route("GET", _PLAYBOOK + "/interactions", "list_interactions"),
    Route("GET", _PLAYBOOK + "/events/{event_id}", "get_event"),
)

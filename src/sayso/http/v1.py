"""HTTP v1: the one table of its routes."""

from sayso.http.routes import Route

_ORG = "/v1/orgs/{org}"
_PLAYBOOKS = _ORG + "/playbooks"
_PLAYBOOK = _PLAYBOOKS + "/{playbook}"
_DEFINITIONS = _PLAYBOOK + "/definitions/{type}"
_DEFINITION = _DEFINITIONS + "/{name}"
_RUNS = _PLAYBOOK + "/runs"
_RUN = _RUNS + "/{run_id}"
_INTERACTIONS = _PLAYBOOK + "/interactions"
_EVENTS = _PLAYBOOK + "/events"

TABLE = (
    Route("POST", _PLAYBOOKS, "create_playbook", 201),
    Route("GET", _PLAYBOOKS, "list_playbooks"),
    Route("GET", _PLAYBOOK, "get_playbook"),
    Route("PUT", _PLAYBOOK, "update_playbook"),
    Route("POST", _PLAYBOOK + "/retire", "retire_playbook"),
    Route("POST", _DEFINITIONS, "create_definition", 201, is_versioned=True),
    Route("GET", _DEFINITIONS, "list_definitions"),
    Route("GET", _DEFINITION, "get_definition", is_versioned=True),
    Route("PUT", _DEFINITION, "update_definition", is_versioned=True),
    Route("POST", _DEFINITION + "/retire", "retire_definition"),
    Route("GET", _DEFINITION + "/versions", "list_definition_versions"),
    Route("GET", _DEFINITION + "/diff", "compare_definition"),
    Route("POST", _DEFINITION + "/run", "run_definition"),
    Route("GET", _RUNS, "list_runs"),
    Route("GET", _RUN, "get_run"),
    Route("GET", _RUN + "/input", "get_run_input"),
    Route("GET", _RUN + "/history", "get_run_history"),
    Route("POST", _RUN + "/cancel", "cancel_run"),
    Route("POST", _RUN + "/erase", "erase_run"),
    Route("POST", _RUN + "/answer", "answer_interaction"),
    Route("POST", _RUN + "/reassign", "reassign_interaction"),
    Route("POST", _RUN + "/tokens", "create_answer_token", 201),
    Route("POST", _RUN + "/events", "send_run_event"),
    Route("GET", _INTERACTIONS, "list_interactions"),
    Route("GET", _INTERACTIONS + "/{run_id}", "get_interaction"),
    Route("GET", _EVENTS, "list_playbook_events"),
    Route("GET", _EVENTS + "/{event_id}", "get_event"),
    Route("POST", _EVENTS, "publish_event"),
    Route("GET", _ORG + "/interactions", "list_org_interactions"),
    Route("GET", _ORG + "/runs", "list_org_runs"),
)

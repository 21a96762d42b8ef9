"""Answer tokens: made for whoever is to answer one request without a key of their own, and told who that is."""

from dataclasses import replace

from sayso.app import access, inputs, run_view
from sayso.app.access import LOCAL, OPERATOR, OneRequest, Permission, Principal
from sayso.app.expiries import expires_at
from sayso.app.keys import Keys
from sayso.app.means import Means
from sayso.app.operations import Allowed, Outcome
from sayso.app.tokens import Token, Tokens
from sayso.core.heads import Head
from sayso.core.instants import iso
from sayso.errors import Problem, Reason, conflict

_WITHOUT_KEYS = {LOCAL.caller_id: LOCAL, OPERATOR.caller_id: OPERATOR}


class AnswerTokens:
    """The operation ``create_answer_token``, and who presents what it made."""

    def __init__(self, means: Means, keys: Keys) -> None:
        self._store = means.store
        self._places = means.places
        self._find = means.find
        self._keys = keys
        self._tokens = Tokens(means.store.secret)

    async def create_answer_token(self, allowed: Allowed, fields: inputs.CreateAnswerToken) -> Outcome:
        """A token for the answer to an open request. It is good until the request expires, or until ``expires`` where
        that is sooner. Nothing is recorded: the answer will name the maker."""
        place = await self._places.to_change_in(allowed, "run")
        head = await self._find.head(place, fields.run_id)
        access.check_answerer(place.principal, head.party, head.answerer)
        if not await self._find.waits(head):
            raise conflict("The request waits for no answer: there is nothing to make a token for.")
        token = Token(
            org=allowed.org,
            playbook=place.name,
            run_id=run_view.run_id(head),
            seen_seq=head.seq,
            expires_at=await self._until(head, fields.expires),
            maker=allowed.principal.caller_id,
        )
        return {"run_id": token.run_id, "token": self._tokens.write(token), "expires_at": iso(token.expires_at)}

    async def _until(self, head: Head, expires: str | None) -> int:
        assert head.expires_at is not None, "it waits"
        if expires is None:
            return head.expires_at
        return min(head.expires_at, expires_at(expires, await self._store.now(), "/expires"))

    async def authenticate(self, text: str) -> Principal:
        """Who presents a token: somebody in its maker's place, who may do one thing. The same 401 for one that was made
        up, has run out, or whose maker's key is good no more."""
        token = self._tokens.read(text)
        maker = None if token is None else await self._maker(token)
        if token is None or maker is None or await self._store.now() >= token.expires_at:
            raise Problem(Reason.UNAUTHENTICATED, "The token is not valid: it is made up, has run out, or was revoked.")
        return replace(
            maker,
            caller_id=f"token:{token.maker}",
            org=token.org,
            permissions=frozenset({Permission.INTERACTION_ANSWER}),
            playbooks=frozenset({token.playbook}),
            request=OneRequest(run_id=token.run_id, seen_seq=token.seen_seq),
        )

    async def _maker(self, token: Token) -> Principal | None:
        return _WITHOUT_KEYS.get(token.maker) or await self._keys.holder(token.maker)

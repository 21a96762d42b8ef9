"""Mistakes of writing: quotes, colons, indentation, and the lines of dashes."""

from functools import partial

from tests.core.document.mistakes.mistake import BRIEF, TICKETS, Mistake

DESCRIPTION = "description: Asks the owner whether a brief may go out"
TO = "to: '{{ input.owner }}'"

_Of = partial(Mistake, base=BRIEF)

LINES = (
    _Of(
        title="Something stands above the first line of dashes",
        right=f"---\n{DESCRIPTION}",
        wrong=f"# My first question\n\n---\n{DESCRIPTION}",
        fix="Take out what stands above line 3",
    ),
    _Of(
        title="The document is wrapped in a code block",
        right=f"---\n{DESCRIPTION}",
        wrong=f"```markdown\n---\n{DESCRIPTION}",
        fix="Take out what stands above line 2",
    ),
    _Of(
        title="The second line of dashes is left out",
        right="---\nMay this brief go out?",
        wrong="\nMay this brief go out?",
        fix="a line of three hyphens (---) ends it",
        line=1,
    ),
    _Of(
        title="The second line of dashes has four of them",
        right="---\nMay this brief go out?",
        wrong="----\nMay this brief go out?",
        fix="Line 21 is not quite one",
        line=1,
    ),
    _Of(
        title="There is no message",
        right="May this brief go out?\n\n{{ input.brief }}\n",
        wrong="",
        fix="write it here, below the front matter",
    ),
    _Of(
        title="The message is written as a field",
        right="expires: P2D",
        wrong="expires: P2D\nmessage: May this brief go out?",
        fix="written below the line of dashes",
        below=1,
    ),
    _Of(
        title="A function that calls a tool has a message",
        base=TICKETS,
        right="  schema: { type: array }\n---\n",
        wrong="  schema: { type: array }\n---\nHere are your tickets.\n",
        fix="leave this out",
        below=2,
    ),
)

QUOTES = (
    _Of(title="No quotes round a template", right=TO, wrong="to: {{ input.owner }}", fix="A template goes in quotes"),
    _Of(
        title="Curly quotes round a template",
        right=TO,
        wrong="to: “{{ input.owner }}”",
        fix="write ' for them",
    ),
    _Of(
        title="The same quotes round a template and in it",
        right="to: '{{ input.owner | default: \"anna\" }}'",
        wrong="to: '{{ input.owner | default: 'anna' }}'",
        base=BRIEF.replace(TO, "to: '{{ input.owner | default: \"anna\" }}'"),
        fix="Put the other kind of quotes around all of it",
    ),
    _Of(
        title="An apostrophe in single quotes",
        right='description: "Asks for the owner\'s opinion"',
        wrong="description: 'Asks for the owner's opinion'",
        base=BRIEF.replace(DESCRIPTION, 'description: "Asks for the owner\'s opinion"'),
        fix="Put the other kind of quotes around all of it",
    ),
    _Of(title="A quote that is not closed", right=TO, wrong="to: '{{ input.owner }}", fix="is not closed"),
    _Of(
        title="A colon in a text without quotes",
        right="description: 'Asks: may the brief go out?'",
        wrong="description: Asks: may the brief go out?",
        base=BRIEF.replace(DESCRIPTION, "description: 'Asks: may the brief go out?'"),
        fix="A text with a colon in it goes in quotes",
    ),
    _Of(
        title="A comma in a text between braces",
        right="note: { type: string, description: 'What is wrong, and for whom' }",
        wrong="note: { type: string, description: What is wrong, and for whom }",
        base=BRIEF.replace(
            "note: { type: string, maxLength: 2000 }", "note: { type: string, description: 'What is wrong, and for whom' }"
        ),
        fix="put quotes around that text",
    ),
    _Of(
        title="A text that begins with @",
        right="to: '@anna'",
        wrong="to: @anna",
        base=BRIEF.replace(TO, "to: '@anna'"),
        fix="begins with @ goes in quotes",
    ),
    _Of(
        title="A text that begins with #",
        right="to: '#marketing'",
        wrong="to: #marketing",
        base=BRIEF.replace(TO, "to: '#marketing'"),
        fix="Put quotes around a text that begins with #",
    ),
    _Of(
        title="A text that begins with *",
        right="description: '*Urgent* questions to the owner'",
        wrong="description: *Urgent* questions to the owner",
        base=BRIEF.replace(DESCRIPTION, "description: '*Urgent* questions to the owner'"),
        fix="begins with * goes in quotes",
    ),
    _Of(
        title="A number for a name",
        right="to: '4711'",
        wrong="to: 4711",
        base=BRIEF.replace(TO, "to: '4711'"),
        fix="Put quotes around it",
    ),
)

FORM = (
    _Of(title="No blank after the colon", right="expires: P2D", wrong="expires:P2D", fix="A blank is missing"),
    _Of(title="An equals sign for the colon", right="expires: P2D", wrong="expires = P2D", fix="comes a colon"),
    _Of(title="A tab", right="input:\n  schema:", wrong="input:\n\tschema:", fix="Indent with blanks", below=1),
    _Of(
        title="A no-break space, as web pages and chats have them",
        right="input:\n  schema:",
        wrong="input:\n\u00a0\u00a0schema:",
        fix="type it anew",
        below=1,
    ),
    _Of(title="A field that is indented", right="expires: P2D", wrong="  expires: P2D", fix="indent both alike"),
    _Of(
        title="A line that is indented less than those beside it",
        right="    required: [verdict]\n",
        wrong="   required: [verdict]\n",
        fix="indent them all alike",
    ),
    _Of(
        title="A brace that is not closed",
        right="owner: { type: string }",
        wrong="owner: { type: string",
        fix="that opens here is not closed",
    ),
    _Of(
        title="A comma that is missing",
        right="note: { type: string, maxLength: 2000 }",
        wrong="note: { type: string maxLength: 2000 }",
        fix="a comma is missing",
    ),
    _Of(
        title="A field that is written twice",
        right="expires: P2D",
        wrong="expires: P2D\nexpires: P3D",
        fix="the first is at line 4",
        below=1,
    ),
)

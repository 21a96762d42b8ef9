"""Mistakes of writing: quotes, colons, indentation, and the lines of dashes."""

from tests.core.document.mistakes.mistake import TICKETS, Mistake

DESCRIPTION = "description: Asks the owner whether a brief may go out"
TO = "to: '{{ input.owner }}'"


LINES = (
    Mistake(
        title="Something stands above the first line of dashes",
        right=f"---\n{DESCRIPTION}",
        wrong=f"# My first question\n\n---\n{DESCRIPTION}",
        fix="Take out what stands above line 3",
    ),
    Mistake(
        title="The document is wrapped in a code block",
        right=f"---\n{DESCRIPTION}",
        wrong=f"```markdown\n---\n{DESCRIPTION}",
        fix="Take out what stands above line 2",
    ),
    Mistake(
        title="The second line of dashes is left out",
        right="---\nMay this brief go out?",
        wrong="\nMay this brief go out?",
        fix="a line of three hyphens (---) ends it",
        line=1,
    ),
    Mistake(
        title="The second line of dashes has four of them",
        right="---\nMay this brief go out?",
        wrong="----\nMay this brief go out?",
        fix="Line 21 is not quite one",
        line=1,
    ),
    Mistake(
        title="There is no message",
        right="May this brief go out?\n\n{{ input.brief }}\n",
        wrong="",
        fix="write it here, below the front matter",
    ),
    Mistake(
        title="The message is written as a field",
        right="expires: P2D",
        wrong="expires: P2D\nmessage: May this brief go out?",
        fix="written below the line of dashes",
        below=1,
    ),
    Mistake(
        title="A function that calls a tool has a message",
        base=TICKETS,
        right="  schema: { type: array }\n---\n",
        wrong="  schema: { type: array }\n---\nHere are your tickets.\n",
        fix="leave this out",
        below=2,
    ),
)

QUOTES = (
    Mistake(
        title="No quotes round a template", right=TO, wrong="to: {{ input.owner }}", fix="A template goes in quotes"
    ),
    Mistake(
        title="Curly quotes round a template",
        right=TO,
        wrong="to: “{{ input.owner }}”",
        fix="write ' for them",
    ),
    Mistake(
        title="The same quotes round a template and in it",
        right="to: '{{ input.owner | default: \"anna\" }}'",
        wrong="to: '{{ input.owner | default: 'anna' }}'",
        place=TO,
        fix="Put the other kind of quotes around all of it",
    ),
    Mistake(
        title="An apostrophe in single quotes",
        right='description: "Asks for the owner\'s opinion"',
        wrong="description: 'Asks for the owner's opinion'",
        place=DESCRIPTION,
        fix="Put the other kind of quotes around all of it",
    ),
    Mistake(title="A quote that is not closed", right=TO, wrong="to: '{{ input.owner }}", fix="is not closed"),
    Mistake(
        title="A colon in a text without quotes",
        right="description: 'Asks: may the brief go out?'",
        wrong="description: Asks: may the brief go out?",
        place=DESCRIPTION,
        fix="A text with a colon in it goes in quotes",
    ),
    Mistake(
        title="A comma in a text between braces",
        right="note: { type: string, description: 'What is wrong, and for whom' }",
        wrong="note: { type: string, description: What is wrong, and for whom }",
        place="note: { type: string, maxLength: 2000 }",
        fix="put quotes around that text",
    ),
    Mistake(
        title="A bracket in a text between braces",
        right="note: { type: string, pattern: '^INV-[0-9]+$' }",
        wrong="note: { type: string, pattern: ^INV-[0-9]+$ }",
        place="note: { type: string, maxLength: 2000 }",
        fix="A text with a bracket or a brace in it goes in quotes",
    ),
    Mistake(
        title="A text that begins with @",
        right="to: '@anna'",
        wrong="to: @anna",
        place=TO,
        fix="begins with @ goes in quotes",
    ),
    Mistake(
        title="A text that begins with #",
        right="to: '#marketing'",
        wrong="to: #marketing",
        place=TO,
        fix="Put quotes around a text that begins with #",
    ),
    Mistake(
        title="A text that begins with *",
        right="description: '*Urgent* questions to the owner'",
        wrong="description: *Urgent* questions to the owner",
        place=DESCRIPTION,
        fix="begins with * goes in quotes",
    ),
    Mistake(
        title="A number for a name",
        right="to: '4711'",
        wrong="to: 4711",
        place=TO,
        fix="Put quotes around it",
    ),
)

FORM = (
    Mistake(title="No blank after the colon", right="expires: P2D", wrong="expires:P2D", fix="A blank is missing"),
    Mistake(title="An equals sign for the colon", right="expires: P2D", wrong="expires = P2D", fix="comes a colon"),
    Mistake(title="A tab", right="input:\n  schema:", wrong="input:\n\tschema:", fix="Indent with blanks", below=1),
    Mistake(
        title="A no-break space, as web pages and chats have them",
        right="input:\n  schema:",
        wrong="input:\n\u00a0\u00a0schema:",
        fix="type it anew",
        below=1,
    ),
    Mistake(title="A field that is indented", right="expires: P2D", wrong="  expires: P2D", fix="indent both alike"),
    Mistake(
        title="A line that is indented less than those beside it",
        right="    required: [verdict]\n",
        wrong="   required: [verdict]\n",
        fix="indent them all alike",
    ),
    Mistake(
        title="A brace that is not closed",
        right="owner: { type: string }",
        wrong="owner: { type: string",
        fix="that opens here is not closed",
    ),
    Mistake(
        title="A comma that is missing",
        right="note: { type: string, maxLength: 2000 }",
        wrong="note: { type: string maxLength: 2000 }",
        fix="a comma is missing",
    ),
    Mistake(
        title="A field that is written twice",
        right="expires: P2D",
        wrong="expires: P2D\nexpires: P3D",
        fix="the first is at line 4",
        below=1,
    ),
)

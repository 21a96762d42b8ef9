"""Every number of the seeds, once. Bytes are UTF-8 bytes; "as JSON" is compact JSON without \\u escapes."""

# AUTO: Fields, Bounds
DOCUMENT_BYTES = 65_536
DESCRIPTION_CHARACTERS = 1_000
EXPIRES_MIN_MS = 60_000
EXPIRES_MAX_MS = 2_592_000_000
WAIT_MIN_MS = 5_000
WAIT_MAX_MS = 3_600_000
PARTY_BYTES = 256
MESSAGE_BYTES = 8_192
ARGUMENTS_BYTES = 16_384
ANSWER_BYTES = 65_536
CLAIMED_FOR_BYTES = 256
JSON_DEPTH = 512
INPUT_BYTES = 262_144
OPEN_REQUESTS = 10_000
ISSUES_SHOWN = 20
REASON_CHARACTERS = 1_024
FIELD_SHOWN_BYTES = 2_048
EVENT_DATA_BYTES = 4_096

# What a document may hold: our choice where the seed only says "JSON Schema" and "Liquid"
FRONT_MATTER_DEPTH = 72
SCHEMA_BYTES = 65_536
SCHEMA_DEPTH = 64
SCHEMA_POINTER_CHARACTERS = 4_000_000
SCHEMA_ENUM_VALUES = 1_000
TEMPLATE_CHARACTERS = 32_768
TEMPLATE_NAMES = 1_000
ARGUMENTS_NAMES = 1_000

# AUTO: a reply rule, and a reply
RULE_VALUES = 16
RULE_WORDS = 16
WORD_BYTES = 64
REPLY_BYTES = 8_192
TELLING_LIST_BYTES = 2_048

# HTTP
BODY_BYTES = 1_048_576
HEAD_BYTES = 65_536
REQUEST_ID_CHARACTERS = 128
CALLERS_REMEMBERED = 10_000
PROXY_HOPS = 32
PAGE_DEFAULT = 20
PAGE_MAX = 100

# Configuration
CONFIG_FILE_BYTES = 1_048_576

# A unit of the writer
BATCH_UNITS = 64
BATCH_BYTES = 262_144
WORKER_UNITS_WHILE_CALLERS_WAIT = 50
QUEUE_UNITS = 10_000
CHILDREN_PAGE = 100

# What may wait in the inbox of a kept stream, beside its children's endings; each counts as so much at least
POSTED_BYTES = 262_144
POSTED_LEAST_BYTES = 16_384
INBOX_BYTES = 1_048_576

# Rendering a template. One charge is a character or an item read or written; a step of the engine costs forty.
# Five million charges are about 200 ms of work: counted and not timed, so that one run ends the same way everywhere.
# A document's templates are tried when it is saved, each for less: a save is not to take as long as all its runs.
RENDER_CHARGES = 5_000_000
SAMPLE_CHARGES = 500_000
STEP_CHARGES = 40
RANGE_ITEM_CHARGES = 10
NUMBER_BITS = 1_024
STATEMENT_OPERATORS = 50
STATEMENT_BRACKETS = 50

# A schema, and what checking one value with it may take. A unit of work is 7 ns for each byte of the value.
SCHEMA_WORK = 280
FORMS_BYTES = 500_000
SCHEMA_PARTS = 40_000
SCHEMA_LEVELS_THROUGH_REFS = 128
SCHEMA_PATTERNS = 64
SCHEMA_PATTERN_CHARACTERS = 512
PATTERN_RUNS = 2_000
PATTERN_MEMORY_BYTES = 262_144
EXPRESSION_CHARACTERS = 4_096
NUMBER_COMPARISONS = 262_144
FAULTS_FOUND = 40_000
SCHEMA_FAULTS = 200

# Front matter: more digits than this are no number that anybody meant
NUMBER_DIGITS = 1_000

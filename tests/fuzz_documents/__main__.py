"""One trial again by its seed and index, with all that came of it; or a campaign without its bars."""

import argparse

from tests.fuzz_documents import campaign, trials

WHAT: dict[str, campaign.Try] = {"documents": trials.document, "templates": trials.template, "answers": trials.answer}


def main() -> None:
    """Read the command line and do it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_documents")
    parser.add_argument("what", choices=WHAT, nargs="?", default="documents")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--only", type=int)
    parser.add_argument("--count", type=int, default=3_000)
    parser.add_argument("--warm-up", type=int, default=campaign.WARM_UP)
    given = parser.parse_args()
    if given.only is None:
        report = campaign.run(WHAT[given.what], given.seed, given.count, given.warm_up)
        print("\n\n".join(report.faults.values()))
        print(report.words(given.seed, given.what))
        return
    trial = WHAT[given.what](given.seed, given.only)
    print(trial.shown)
    for step in trial.steps:
        print(
            f"{step.kind}: {step.seconds * 1e3:.1f} ms, {'taken' if step.taken else 'refused'}",
            *step.faults,
            sep="\n  ",
        )


if __name__ == "__main__":
    main()

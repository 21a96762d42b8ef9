"""Answers by reply: the rule that reads words, what it makes of them, and what a party is told."""

"""Followers of the gapless feeds: each has a cursor a playbook, which any process may move and none leads."""

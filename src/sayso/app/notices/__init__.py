"""Notices: somebody is told of each new request, by a cursor on the gapless feed of its playbook."""

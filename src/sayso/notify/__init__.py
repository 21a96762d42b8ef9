"""Couriers: how notices leave the process, by webhook or by mail, to the one place that the setting NOTIFY names."""

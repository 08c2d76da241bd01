"""``scorer hubs``: the hubs of many halls on one machine, strictly apart."""

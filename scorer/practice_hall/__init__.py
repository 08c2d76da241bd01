"""A practice hall: simulated tables, their players, the hub and a tournament.

``scorer hub --demo`` starts it. Everything is real but the hands at the buttons: tables, links, the
hub and its desk are those of a hall.
"""

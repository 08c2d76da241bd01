"""Truco Scorer: a scorekeeper for a real truco table.

The packages in the order of reading, in five wings. Each imports only from those above it.

Foundations: values and words, without a device or a process
    plain_values  values of TOML and JSON, read into records
    ownership     files that root writes in folders of others
    rules         the games: legal calls, what they are worth, score sheets
    tournament    the rules of tournaments
    hall          what tables and hub say to each other
    i18n          the texts by key and language
    rulecards     the rules of a game in words
    season        the signed file of an evening, by which evenings of halls are joined

The table: from a button to the store and the panels
    hw            drivers of buttons, panels, lamps, buzzer
    session       what a press means, and what is to be seen of it
    phrases       the sentences of a view, for every output
    display       a view as a picture
    store         the journal of presses, which survives a power cut
    config        the file of the owner, checked
    system        power, time, wireless network of the machine
    records       the journal read as games
    api           the socket: states out, requests in
    table         the process that owns all of this

Processes beside it: clients of the socket
    table_link    the connection to the socket, reopened when it is lost
    serving       pages and streams over HTTP
    static_site   pages without a server
    backup        copies of the games
    doctor        what is wrong, and what to do
    receipts      the slip of a game
    radio         button boxes over Wi-Fi
    voice         the calls and the score, spoken
    web           the score on phones and televisions

The hall: many tables
    link          sends what is pressed at a table to the hub
    hub           keeps and shows what all tables play; tournaments
    hubs          the hubs of many halls on one machine
    circuit       the table of a season, of evenings of many halls

People who build and try: without a box
    samples       each screen, from games that can be played
    makers        wiring, labels, drilling templates, the set-up of a Pi
    demo          the table in a terminal
    browser       the table in a web page
    practice_hall  a hall with tables that play alone
    commands      what remains of ``scorer COMMAND``; cli.py finds them
"""

try:
    from scorer._version import __version__
except ModuleNotFoundError:
    # A tree that was neither built nor installed.
    __version__ = "0.0"

__all__ = ["__version__"]

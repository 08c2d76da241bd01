"""The sides of a table and the actions of the score sheet."""

from enum import StrEnum


class Side(StrEnum):
    """A side that calls or scores: a team, a player, or a camp of pata de gallo."""

    A = "A"
    B = "B"
    C = "C"
    GALLO = "gallo"
    PAIR = "pair"


class Action(StrEnum):
    """Every action of the score sheet, in menu order."""

    # Calls of the trick ladder.
    TRUCO = "truco"
    RETRUCO = "retruco"
    VALE_CUATRO = "vale_cuatro"
    VALE_NUEVE = "vale_nueve"
    VALE_JUEGO = "vale_juego"
    SEIS = "seis"
    NOVE = "nove"
    DEZ = "dez"
    DOZE = "doze"
    TRUC = "truc"
    RETRUC = "retruc"
    QUATRE_VAL = "quatre_val"
    JOC_FORA = "joc_fora"
    # Calls of the envido.
    ENVIDO = "envido"
    REAL_ENVIDO = "real_envido"
    FALTA_ENVIDO = "falta_envido"
    ENVIDO_MAS = "envido_mas"
    ENVIDO_IGUALAR = "envido_igualar"
    ENVIT = "envit"
    TORNE = "torne"
    FALTA = "falta"
    # Calls of the flor.
    FLOR = "flor"
    CONTRAFLOR = "contraflor"
    CONTRAFLOR_RESTO = "contraflor_resto"
    CON_FLOR_ENVIDO = "con_flor_envido"
    CON_FLOR_REAL_ENVIDO = "con_flor_real_envido"
    CON_FLOR_FALTA_ENVIDO = "con_flor_falta_envido"
    FLOR_ENVIDA = "flor_envida"
    FLOR_ENVIDA_MAS = "flor_envida_mas"
    # Answers.
    QUIERO = "quiero"
    NO_QUIERO = "no_quiero"
    ME_ACHICO = "me_achico"
    NO_FLOR = "no_flor"
    PRIVO = "privo"
    NO_PRIVO = "no_privo"
    MAO_PLAY = "mao_play"
    MAO_RUN = "mao_run"
    # Outcomes entered by the players.
    ENVIDO_WON = "envido_won"
    FLOR_WON = "flor_won"
    HAND_WON = "hand_won"
    FOLD = "fold"
    ALL_TIED = "all_tied"
    TRICKS = "tricks"
    FIRST_TRICK_DONE = "first_trick_done"
    NEW_HAND = "new_hand"
    PICA = "pica"
    REDONDA = "redonda"
    # Fouls, corrections and endings outside play.
    ENVIDO_REVERSED = "envido_reversed"
    FLOR_REVERSED = "flor_reversed"
    AWARD = "award"
    CORRECT = "correct"
    MANO = "mano"
    CONCEDE = "concede"
    TIME = "time"
    # The result of a match of a tournament.
    AGREE = "agree"
    CONTEST = "contest"
    # Undo and redo: actions of the sheet, not of the game.
    UNDO = "undo"
    REDO = "redo"


# Actions of a scoring side; all others belong to speaking sides, or to none.
OF_A_SCORING_SIDE = frozenset((Action.AWARD, Action.CORRECT, Action.MANO, Action.CONCEDE))
SIDELESS = frozenset(
    (
        Action.ALL_TIED,
        Action.TRICKS,
        Action.FIRST_TRICK_DONE,
        Action.NEW_HAND,
        Action.PICA,
        Action.REDONDA,
        Action.TIME,
        Action.UNDO,
        Action.REDO,
    )
)

"""Propose which names of teams are names of people; a person of the desk decides.

A rule cannot know it. It proposes too many rather than too few: a name that is proposed wrongly is
a number until a person has looked, one that is left out would be published.
"""

from __future__ import annotations

import re

from scorer.tournament.names import name_words, words_of

# "Ana / Luz", "Ana-Luz", "Pérez, Gómez", "Juan con Pedro", "Ana y Luis".
_JOINED = re.compile(
    r"\s*[/&+|,;]\s*|\s+[-–—]\s+|(?<=\w)[-–—](?=\w)"
    r"|\s+(?:y|e|i|and|con|com|amb|with|c/)\s+",
    re.IGNORECASE,
)
_MOST_WORDS = 4  # of the name of one person, without "de la"
# A name that begins so is one of a group, unless it has a name that is known.
_GROUP = frozenset(
    "los las el la lo un una unos unas mis tus sus nuestros os as o a um uma uns els les the our"
    " team equipo equipe time club clube dupla pareja trio peña barra banda grupo".split()
)
# What teams are called after, in Spanish, Portuguese, Catalan and English, without accents: the
# cards and calls of truco, kin, numbers and colours, animals, things, qualities, places.
_NO_NAMES = frozenset(
    """
    truco trucos retruco vale cuatro envido real falta resto flor contraflor mazo mano pie pica
    gallo pata quiero querido canto cantos carta cartas naipe naipes baraja mazos as ases ancho
    anchos espada espadas basto bastos oro oros copa copas sota sotas caballo caballos rey reyes
    siete bravo brava macho hembra muestra perico perica pieza piezas mata matas zap zape copeta
    espadilha casal gato gata pausa manilha manilhas paus ouros valete dama seis nove doze truca
    partida puntos tantos porotos fosforos malas buenas senas sena mentira mentirosos mentiroso
    tia tio tias tios sobrina sobrino sobrinas sobrinos primo prima primos primas hermano hermana
    hermanos hermanas padre madre padres papa mama hijo hija hijos hijas abuelo abuela abuelos
    abuelas nieto nieta cunado cunada cunados suegra suegro yerno nuera ahijado padrino madrina
    compadre compadres comadre comadres amigo amiga amigos amigas vecino vecina vecinos vecinas
    pai mae filho filha irmao irma irmaos avo avos neto neta cunhado cunhada compadres amics
    cosins germans pare mare fill filla avi iaia
    uno una dos tres cuatro cinco ocho nueve diez once doce cien mil um dois duas quatro sete oito
    dez onze dos un dues quatre cinc set vuit nou deu one two three four five six seven eight nine
    ten primero primera segundo segunda ultimo ultima ultimos ultimas
    rojo roja rojos rojas negro negra negros negras blanco blanca blancos blancas azul azules verde
    verdes amarillo amarilla gris celeste celestes dorado dorada preto preta branco vermelho
    vermell groc
    leon leones tigre tigres lobo lobos zorro zorros aguila aguilas condor condores nandu nandues
    toro toros gallito gallitos gallina gallinas perro perros galgo galgos pingo pingos potro
    potros halcon halcones puma pumas yaguarete jaguares carpincho carpinchos hornero horneros
    tero teros zorzal bagual baguales onca tatu leao leoes lobo urso raposa galo llop lleo
    barro agua fuego tierra luna estrella estrellas viento rayo rayos trueno truenos
    tormenta lluvia noche dia monte rio mar pampa campo sierra cerro piedra piedras hierro acero
    plata vino mate asado fernet cerveza queso pan dulce caramelo yunta rancho fogon guitarra
    bombo tango milonga candombe murga samba bota botas poncho facon taba sombrero
    lindo linda lindos lindas loco loca locos locas viejo vieja viejos viejas joven jovenes nuevo
    nueva nuevos nuevas grande grandes chico chica chicos chicas pibe piba pibes pibas gurises
    muchachos muchachas senor senora senores senoras maestro maestros rey reina invencible
    invencibles imparable imparables intocables eterno eternos duro duros fiero fieros guapo guapos
    capo capos crack cracks titan titanes gigante gigantes campeon campeones leyenda leyendas
    guerrero guerreros pirata piratas bandido bandidos gaucho gauchos gaucha guri guria peao
    peoes tropeiro tropeiros bons velhos novos reis
    norte sur este oeste centro barrio villa pueblo ciudad plaza esquina bar cafe boliche cancha
    tribuna deportivo atletico union juventud social sport sporting fc cf ac futbol bocha bochas
    mesa mesas silla sillas sal sol sombra suerte fortuna esperanza fe paz amor vida muerte
    libertad gloria victoria justicia verdad siempre nunca nada todo todos todas nadie algo
    cosa cosas casi casa gente cuenta vuelta ida quien como cuando donde porque sin mas menos muy
    bien mal por para que no si ni al del con team los las
    """.split()
)
# Given names and surnames that are common where truco is played, without accents.
_KNOWN = frozenset(
    """
    ana anita andrea angel antonio alberto alejandro alejandra alfredo agustin agustina alba ariel
    augusto beatriz beto bruno bruna camila carla carlos carmen carolina catalina cecilia cesar
    chicho claudia claudio cristian cristina dani daniel daniela dario david debora diego dora
    eduardo elena elsa ema emilia emilio enrique ernesto esteban eugenia eva fabian fabio facundo
    federico felipe fernanda fernando florencia francisco franco gabriel gabriela gaston gerardo
    german gilberto gonzalo graciela guillermo gustavo hector hernan horacio hugo ignacio ines
    irene isabel ivan jaime javier joan joao joaquim joaquin jordi jorge jose josefa juan juana
    julia julian juliana julio karina laura leandro leo leonardo leticia lorenzo lucas lucia
    luciana luciano luis luisa luiz manuel manuela marc marcela marcelo marcos margarita maria
    mariana mariano marina mario marta martin martina mateo matias mauricio maximo mercedes miguel
    miriam monica nacho natalia nestor nicolas noelia norberto nora olga omar oscar pablo paco
    paola patricia paula paulo pedro pepe pepa pere pia rafael ramiro ramon raquel raul rene
    ricardo roberto rocio rodolfo rodrigo rogelio romina ruben samuel sandra santiago sara
    sebastian sergio silvia silvana sofia soledad susana tania teresa tito tomas toni valentina
    valeria vanesa veronica vicent vicente victor vilma vitor walter xavi ximena ze zoe
    acosta aguirre almeida alonso alvarez alves araujo arias barbosa barrios benitez blanco borges
    cabrera campos cardoso carrizo carvalho castillo castro correa costa cruz diaz dominguez duarte
    fernandes fernandez ferrari ferreira figueroa flores fonseca franco garcia gimenez godoy gomes
    gomez goncalves gonzalez gutierrez guzman hernandez herrera ibanez jimenez juarez ledesma lima
    lopes lopez lucero luna machado maldonado mansilla martinez martins medina mendes mendez
    mendoza miranda molina montero morales moreira moreno moyano navarro nunes nunez ojeda oliveira
    olmedo ortega ortiz paez paz peralta pereira pereyra perez pinto ponce quiroga ramirez ramos
    reyes ribeiro rios rivera rocha rodrigues rodriguez rojas romero ruiz salas sanchez santos
    silva silveira soares soria sosa souza suarez teixeira toledo torres valdez vargas vazquez
    vega velazquez vera vidal vieira vila villalba zapata
    """.split()
)


def looks_like_people(name: str) -> bool:
    """Whether a name of a team seems to name people, as "Pérez, Gómez" does."""
    words = name_words(name)
    has_name = any(word in _KNOWN - _NO_NAMES for word in words)
    # Words that are names and other words name people if there is nothing else.
    if has_name or (words and all(word in _KNOWN for word in words)):
        return True
    parts = [part for part in _JOINED.split(name) if words_of(part)]
    is_group = not parts or words_of(parts[0])[0] in _GROUP
    return not is_group and all(_is_like_person(each, is_joined=len(parts) > 1) for each in parts)


def _is_like_person(text: str, *, is_joined: bool) -> bool:
    """Whether it is like a given name, a surname, or both, that no list knows.

    ``is_joined``: beside another one, where one word is enough.
    """
    words = name_words(text)
    is_free = all(word in _KNOWN or (word.isalpha() and word not in _NO_NAMES) for word in words)
    return is_free and (1 if is_joined else 2) <= len(words) <= _MOST_WORDS

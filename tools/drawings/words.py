"""The sentences of the drawings in Spanish and Portuguese.

What is printed on parts and boards stays as it is.

The keys are the English sentences of the drawings.
"""

from __future__ import annotations

from scorer.config.input_boxes import CONSOLE_KEYS, SHARED_KEYS
from scorer.i18n import Say, translator
from scorer.makers.wiring.header import button_text
from tools.site.source import LANGUAGES

_TABLE = """
1  A button on a cable
  1  Un botón con cable
  1  Um botão com cabo
plug
  ficha
  conector
twisted
  par
  par
pair
  trenzado
  trançado
Pressed 0.41 V and 0.9 mA, released 3.3 V.
  Apretado 0,41 V y 0,9 mA, suelto 3,3 V.
  Apertado 0,41 V e 0,9 mA, solto 3,3 V.
The TVS sits at the plug, before the 470R.
  El TVS va en la ficha, antes de la de 470R.
  O TVS fica no conector, antes do de 470R.
2  A button in the same box
  2  Un botón en la misma caja
  2  Um botão na mesma caixa
inside the Pi:
  dentro de la Pi:
  dentro da Pi:
a pull-up to 3V3
  un pull-up a 3V3
  um pull-up a 3V3
of about 50k
  de unos 50k
  de uns 50k
30 cm at most, in one closed box. No 100 nF
  30 cm como mucho, en una caja cerrada. Sin
  30 cm no máximo, numa caixa fechada. Sem
here: the weak pull-up would charge it slowly.
  100 nF: el pull-up débil lo cargaría despacio.
  100 nF: o pull-up fraco o carregaria devagar.
3  A lamp, one for each team
  3  Una luz, una por equipo
  3  Uma luz, uma por dupla
5 V lamp
  luz de 5 V
  luz de 5 V
to 100 mA
  ≤ 100 mA
  ≤ 100 mA
A polyfuse for each lamp, at the Pi's end.
  Un polyfuse por luz, del lado de la Pi.
  Um polyfuse para cada luz, do lado da Pi.
The lamp brings its own resistor, or add one.
  La luz trae su resistencia; si no, agregala.
  A luz traz o resistor dela; se não, ponha um.
The 10k keeps it dark while the pin is not driven.
  La de 10k la apaga mientras el pin está suelto.
  O de 10k a apaga enquanto o pino está solto.
4  The buzzer (active, 5 V)
  4  La chicharra (activa, 5 V)
  4  A campainha (ativa, 5 V)
buzzer
  chicharra
  campainha
BUZZER: pin
  pin
  pino
The diode's ring points to 5 V.
  El anillo del diodo va hacia los 5 V.
  O anel do diodo fica do lado dos 5 V.
Active: it sounds by itself on a battery.
  Activa: suena sola con una pila.
  Ativa: toca sozinha com uma pilha.
5  Two panels, four wires
  5  Dos pantallas, cuatro cables
  5  Duas telas, quatro fios
Panel A
  Pantalla A
  Tela A
Panel B
  Pantalla B
  Tela B
Wire by the names printed on the panel: VCC and
  Guiate por los nombres impresos: VCC y GND
  Siga os nomes impressos: VCC e GND
GND change places from one maker to another.
  cambian de lugar según el fabricante.
  trocam de lugar conforme o fabricante.
6  The buttons and their pins
  6  Los botones y sus pines
  6  Os botões e seus pinos
Console A, GND pin
  Consola A, GND pin
  Console A, GND pino
Console B, GND pin
  Consola B, GND pin
  Console B, GND pino
Console
  Consola
  Console
In the middle, GND pin
  En el medio, GND pin
  No meio, GND pino
Where is pin 1?
  ¿Dónde está el pin 1?
  Onde fica o pino 1?
No beep between 1 and 6, 2 and 6, 1 and 2.
  Sin pitido entre 1 y 6, 2 y 6, 1 y 2.
  Sem bipe entre 1 e 6, 2 e 6, 1 e 2.
A numeric keypad as a console
  Un teclado numérico como consola
  Um teclado numérico como console
One for each team, on any USB socket.
  Uno por equipo, en cualquier puerto USB.
  Um por dupla, em qualquer porta USB.
A seven-pin panel in I2C
  Una pantalla de siete pines en I2C
  Uma tela de sete pinos em I2C
First move the resistors on its back to IIC,
  Primero pasá a IIC las resistencias del dorso,
  Antes mude para IIC os resistores do verso,
as its print says.
  como dice su impresión.
  como diz a impressão dela.
The same panel as delivered: SPI
  La misma pantalla como viene: SPI
  A mesma tela como vem: SPI
On this panel SCL is the clock, SDA the data.
  Acá SCL es el reloj y SDA los datos.
  Aqui SCL é o relógio e SDA os dados.
20 cm at most. One panel only.
  20 cm como mucho. Una sola pantalla.
  20 cm no máximo. Uma tela só.
The power button
  El botón de encendido
  O botão de energia
Held for two seconds it shuts the Pi down.
  Mantenido dos segundos, apaga la Pi.
  Segurado dois segundos, desliga a Pi.
It starts no halted Pi.
  No prende una Pi apagada.
  Não liga uma Pi desligada.
Fuse and capacitor
  Fusible y capacitor
  Fusível e capacitor
polyfuse 0.25 A
  polyfuse 0,25 A
  polyfuse 0,25 A
to a lamp
  a una luz
  a uma luz
panel
  pantalla
  tela
The capacitor sits at the panel, 6.3 V or more.
  El capacitor va en la pantalla, de 6,3 V o más.
  O capacitor fica na tela, de 6,3 V ou mais.
One fuse for each lamp, none for the buzzer.
  Un fusible por luz; la chicharra no lleva.
  Um fusível por luz; a campainha não leva.
A metal case, one bond
  Caja de metal, una sola unión
  Caixa de metal, uma só ligação
metal case
  caja de metal
  caixa de metal
cable
  cable
  cabo
shield
  malla
  malha
One screw, scratched bare, toothed washer.
  Un tornillo, pintura raspada, arandela dentada.
  Um parafuso, tinta raspada, arruela dentada.
The shield ends here, open at the console.
  La malla termina acá, suelta en la consola.
  A malha termina aqui, solta no console.
Circuit 1 on perfboard
  Circuito 1 en placa perforada
  Circuito 1 em placa perfurada
One adapter protects four buttons: order the
  Un adaptador protege cuatro botones: poné los
  Um adaptador protege quatro botões: ponha os
channels in fours around it.
  canales de a cuatro a su alrededor.
  canais de quatro em quatro em volta dele.
Console C, for three
  Consola C, para tres
  Console C, para três
GND: pin 20. No SPI panel and no third panel
  GND: pin 20. Sin pantalla SPI ni tercera
  GND: pino 20. Sem tela SPI nem terceira
then: these are their pins.
  pantalla: estos son sus pines.
  tela: estes são os pinos delas.
A strip in team colours
  Una tira con los dos colores
  Uma fita com as cores das duplas
330R and 470 µF sit at the strip, 100 nF at the
  330R y 470 µF van junto a la tira, 100 nF al
  330R e 470 µF ficam junto à fita, 100 nF ao
74AHCT125. Its pins 4, 5, 9, 10, 12, 13 to GND.
  74AHCT125. Sus pines 4, 5, 9, 10, 12, 13 a GND.
  74AHCT125. Os pinos 4, 5, 9, 10, 12, 13 ao GND.
Truco Scorer: wiring, full layout
  Truco Scorer: cableado, disposición completa
  Truco Scorer: fiação, disposição completa
Truco Scorer: wiring, compact layout
  Truco Scorer: cableado, disposición compacta
  Truco Scorer: fiação, disposição compacta
Truco Scorer: wiring, full layout, three consoles
  Truco Scorer: cableado completo, tres consolas
  Truco Scorer: fiação completa, três consoles
Any Raspberry Pi with 40 pins, seen from above.
  Cualquier Raspberry Pi de 40 pines, vista desde arriba.
  Qualquer Raspberry Pi de 40 pinos, vista de cima.
Turn the microSD card up and the header to the right: pin 1 is the inner one at the top.
  Girala con la microSD arriba y la tira a la derecha: el pin 1 es el de adentro, arriba de todo.
  Gire-a com o cartão microSD para cima e a barra à direita: o pino 1 é o de dentro, o mais alto.
pin 1
  pin 1
  pino 1
Wires that cross are joined only where there is a dot.
  Los cables que se cruzan se unen sólo donde hay un punto.
  Os fios que se cruzam só se unem onde há um ponto.
free
  libre
  livre
leave empty
  dejar vacío
  deixar vazio
3.3 V; never 5 V
  3,3 V; nunca 5 V
  3,3 V; nunca 5 V
5 V, not used
  5 V, no se usa
  5 V, não usado
a second wire
  un segundo cable
  um segundo fio
identity of add-on boards
  identidad de placas de expansión
  identidade de placas de expansão
D/C of an SPI panel
  D/C de una pantalla SPI
  D/C de uma tela SPI
CE0 of an SPI panel
  CE0 de una pantalla SPI
  CE0 de uma tela SPI
MOSI of an SPI panel
  MOSI de una pantalla SPI
  MOSI de uma tela SPI
SCLK of an SPI panel
  SCLK de una pantalla SPI
  SCLK de uma tela SPI
circuit 1, all of them
  circuito 1, todas
  circuito 1, todos
circuit 3
  circuito 3
  circuito 3
circuit 4
  circuito 4
  circuito 4
circuit 5
  circuito 5
  circuito 5
circuits 3 and 4
  circuitos 3 y 4
  circuitos 3 e 4
circuit 2, back to pin
  circuito 2, vuelve al pin
  circuito 2, volta ao pino
circuit 1 or 2, back to pin
  circuito 1 o 2, vuelve al pin
  circuito 1 ou 2, volta ao pino
"""
# Words inside a line of names and numbers; what is printed on buttons is added from the catalogues.
_SHORT = {
    "es": {
        " to ": " a ",
        "PANELS": "PANTALLAS",
        "LAMPS, BUZZER": "LUZ, CHICHARRA",
        "LAMP ": "LUZ ",
        "BUZZER": "CHICHARRA",
        "POWER BUTTON": "ENCENDIDO",
        "CONSOLE": "CONSOLA",
        "MIDDLE": "MEDIO",
    },
    "pt": {
        " to ": " a ",
        " pin ": " pino ",
        "GPIO pin": "pino GPIO",
        "PANELS": "TELAS",
        "LAMPS, BUZZER": "LUZ, CAMPAINHA",
        "LAMP ": "LUZ ",
        "BUZZER": "CAMPAINHA",
        "POWER BUTTON": "ENERGIA",
        "MIDDLE": "MEIO",
    },
}


def _read() -> dict[str, dict[str, str]]:
    lines = [line.strip() for line in _TABLE.strip().splitlines()]
    english, spanish, portuguese = lines[::3], lines[1::3], lines[2::3]
    return {
        "es": dict(zip(english, spanish, strict=True)),
        "pt": dict(zip(english, portuguese, strict=True)),
    }


def _buttons(say: Say) -> dict[str, str]:
    """The words on buttons in another language, one by one.

    NO QUIERO may take two lines.
    """
    pairs = (
        zip(button_text(key).split(), say(f"label.{key}").split(), strict=True)
        for key in (*CONSOLE_KEYS, *SHARED_KEYS)
    )
    return {word: other for pair in pairs for word, other in pair if word != other}


WORDS = _read()
SHORT = {suffix: _SHORT[suffix] | _buttons(translator(LANGUAGES[suffix])) for suffix in WORDS}

-- The store of a table of the version before rules.md#uruguayan-before, as SQL: a game won by a bid
-- above the falta, a series, an owner's variant, an Argentine game, a game left in mid-bet.
PRAGMA page_size = 1024;
PRAGMA journal_mode = WAL;
BEGIN TRANSACTION;
CREATE TABLE game (
  id           INTEGER PRIMARY KEY,
  header       TEXT    NOT NULL,
  opened       INTEGER NOT NULL,        -- seq of its first row, there or still to come
  before       INTEGER NOT NULL,        -- the game before it, 0: none
  sum          INTEGER NOT NULL,        -- check value of the four above
  tip          INTEGER NOT NULL         -- sum, and the sums of all rows of the game folded in
) STRICT;
INSERT INTO "game" VALUES(1,'[Variant "uruguayan"]
[Options "free_envido=true"]
[Start "A=38 B=30"]
[Mano "A"]
[NameA "Rojos"]
[NameB "Verdes"]
',1,0,2176977163,3211663315);
INSERT INTO "game" VALUES(2,'[Variant "uruguayan"]
[Options "best_of=3"]
[Start "A=0 B=0"]
[Mano "B"]
[NameA "Rojos"]
[NameB "Verdes"]
',4,1,458130167,2338974499);
INSERT INTO "game" VALUES(3,'[Variant "del_club"]
[Definition "{\"based_on\":\"uruguayan\",\"options\":{\"resto\":\"leader_to_target\"},\"source\":\"el club\",\"target\":30,\"title\":\"Truco del club\"}"]
[Start "A=20 B=25"]
[Mano "A"]
[NameA "Rojos"]
[NameB "Verdes"]
',20,2,2361542026,1194644428);
INSERT INTO "game" VALUES(4,'[Variant "argentine"]
[Start "A=0 B=0"]
[Mano "A"]
[NameA "Rojos"]
[NameB "Verdes"]
',26,3,1020959966,181088627);
INSERT INTO "game" VALUES(5,'[Variant "uruguayan"]
[Start "A=5 B=8"]
[Mano "A"]
[NameA "Rojos"]
[NameB "Verdes"]
',29,4,553629526,2909716008);
CREATE TABLE journal (
  seq          INTEGER PRIMARY KEY,
  game         INTEGER NOT NULL REFERENCES game (id),
  press        INTEGER NOT NULL,        -- seq of the first row of the press
  line         TEXT    NOT NULL,
  source       TEXT    NOT NULL,
  boot         TEXT    NOT NULL,
  monotonic_ms INTEGER NOT NULL,
  wall         TEXT    NOT NULL,
  trusted      INTEGER NOT NULL,
  late         INTEGER NOT NULL,        -- 1: a newer game had been opened before this press
  sum          INTEGER NOT NULL         -- check value of all above but late
) STRICT;
INSERT INTO "journal" VALUES(1,1,1,'A envido 12','A','3b241101-e2bb-4255-8caf-4136c566a962',5000,'2026-11-20T21:00:05+00:00',1,0,759977800);
INSERT INTO "journal" VALUES(2,1,2,'B quiero','B','3b241101-e2bb-4255-8caf-4136c566a962',10000,'2026-11-20T21:00:10+00:00',1,0,3890603562);
INSERT INTO "journal" VALUES(3,1,3,'B envido_won','B','3b241101-e2bb-4255-8caf-4136c566a962',15000,'2026-11-20T21:00:15+00:00',1,0,4050462479);
INSERT INTO "journal" VALUES(4,2,4,'A flor','A','3b241101-e2bb-4255-8caf-4136c566a962',20000,'2026-11-20T21:00:20+00:00',1,0,1884868727);
INSERT INTO "journal" VALUES(5,2,5,'B contraflor_resto','B','3b241101-e2bb-4255-8caf-4136c566a962',25000,'2026-11-20T21:00:25+00:00',1,0,972750906);
INSERT INTO "journal" VALUES(6,2,6,'A quiero','A','3b241101-e2bb-4255-8caf-4136c566a962',30000,'2026-11-20T21:00:30+00:00',1,0,3468783089);
INSERT INTO "journal" VALUES(7,2,7,'A flor_won','A','3b241101-e2bb-4255-8caf-4136c566a962',35000,'2026-11-20T21:00:35+00:00',1,0,4163793905);
INSERT INTO "journal" VALUES(8,2,8,'- new_hand','A','3b241101-e2bb-4255-8caf-4136c566a962',40000,'2026-11-20T21:00:40+00:00',1,0,1629132369);
INSERT INTO "journal" VALUES(9,2,8,'A flor','A','3b241101-e2bb-4255-8caf-4136c566a962',40000,'2026-11-20T21:00:40+00:00',1,0,108762112);
INSERT INTO "journal" VALUES(10,2,10,'A flor','A','3b241101-e2bb-4255-8caf-4136c566a962',45000,'2026-11-20T21:00:45+00:00',1,0,265390368);
INSERT INTO "journal" VALUES(11,2,11,'B contraflor','B','3b241101-e2bb-4255-8caf-4136c566a962',50000,'2026-11-20T21:00:50+00:00',1,0,4280486607);
INSERT INTO "journal" VALUES(12,2,12,'A quiero','A','3b241101-e2bb-4255-8caf-4136c566a962',55000,'2026-11-20T21:00:55+00:00',1,0,2471358653);
INSERT INTO "journal" VALUES(13,2,13,'B flor_won','B','3b241101-e2bb-4255-8caf-4136c566a962',60000,'2026-11-20T21:01:00+00:00',1,0,1037044774);
INSERT INTO "journal" VALUES(14,2,14,'B hand_won','B','3b241101-e2bb-4255-8caf-4136c566a962',65000,'2026-11-20T21:01:05+00:00',1,0,316682781);
INSERT INTO "journal" VALUES(15,2,15,'- new_hand','B','3b241101-e2bb-4255-8caf-4136c566a962',70000,'2026-11-20T21:01:10+00:00',1,0,3747167061);
INSERT INTO "journal" VALUES(16,2,15,'B flor','B','3b241101-e2bb-4255-8caf-4136c566a962',70000,'2026-11-20T21:01:10+00:00',1,0,4261930975);
INSERT INTO "journal" VALUES(17,2,17,'A flor','A','3b241101-e2bb-4255-8caf-4136c566a962',75000,'2026-11-20T21:01:15+00:00',1,0,2156946066);
INSERT INTO "journal" VALUES(18,2,18,'B flor_won','B','3b241101-e2bb-4255-8caf-4136c566a962',80000,'2026-11-20T21:01:20+00:00',1,0,686179167);
INSERT INTO "journal" VALUES(19,2,19,'A hand_won','A','3b241101-e2bb-4255-8caf-4136c566a962',85000,'2026-11-20T21:01:25+00:00',1,0,985628764);
INSERT INTO "journal" VALUES(20,3,20,'A flor','A','3b241101-e2bb-4255-8caf-4136c566a962',90000,'2026-11-20T21:01:30+00:00',1,0,3390312835);
INSERT INTO "journal" VALUES(21,3,21,'A flor','A','3b241101-e2bb-4255-8caf-4136c566a962',95000,'2026-11-20T21:01:35+00:00',1,0,4154899029);
INSERT INTO "journal" VALUES(22,3,22,'B contraflor','B','3b241101-e2bb-4255-8caf-4136c566a962',100000,'2026-11-20T21:01:40+00:00',1,0,534002527);
INSERT INTO "journal" VALUES(23,3,23,'A quiero','A','3b241101-e2bb-4255-8caf-4136c566a962',105000,'2026-11-20T21:01:45+00:00',1,0,3675474973);
INSERT INTO "journal" VALUES(24,3,24,'A flor_won','A','3b241101-e2bb-4255-8caf-4136c566a962',110000,'2026-11-20T21:01:50+00:00',1,0,525315372);
INSERT INTO "journal" VALUES(25,3,25,'A hand_won','A','3b241101-e2bb-4255-8caf-4136c566a962',115000,'2026-11-20T21:01:55+00:00',1,0,1789125859);
INSERT INTO "journal" VALUES(26,4,26,'A truco','A','3b241101-e2bb-4255-8caf-4136c566a962',120000,'2026-11-20T21:02:00+00:00',1,0,4110658747);
INSERT INTO "journal" VALUES(27,4,27,'B quiero','B','3b241101-e2bb-4255-8caf-4136c566a962',125000,'2026-11-20T21:02:05+00:00',1,0,2224772222);
INSERT INTO "journal" VALUES(28,4,28,'A hand_won','A','3b241101-e2bb-4255-8caf-4136c566a962',130000,'2026-11-20T21:02:10+00:00',1,0,81794699);
INSERT INTO "journal" VALUES(29,5,29,'A flor','A','3b241101-e2bb-4255-8caf-4136c566a962',135000,'2026-11-20T21:02:15+00:00',1,0,1031231535);
INSERT INTO "journal" VALUES(30,5,30,'B flor','B','3b241101-e2bb-4255-8caf-4136c566a962',140000,'2026-11-20T21:02:20+00:00',1,0,3694503306);
INSERT INTO "journal" VALUES(31,5,31,'B flor_won','B','3b241101-e2bb-4255-8caf-4136c566a962',145000,'2026-11-20T21:02:25+00:00',1,0,1424335378);
INSERT INTO "journal" VALUES(32,5,32,'A hand_won','A','3b241101-e2bb-4255-8caf-4136c566a962',150000,'2026-11-20T21:02:30+00:00',1,0,1623367922);
INSERT INTO "journal" VALUES(33,5,33,'- new_hand','A','3b241101-e2bb-4255-8caf-4136c566a962',155000,'2026-11-20T21:02:35+00:00',1,0,3537304906);
INSERT INTO "journal" VALUES(34,5,33,'A flor','A','3b241101-e2bb-4255-8caf-4136c566a962',155000,'2026-11-20T21:02:35+00:00',1,0,1916506233);
INSERT INTO "journal" VALUES(35,5,35,'A flor','A','3b241101-e2bb-4255-8caf-4136c566a962',160000,'2026-11-20T21:02:40+00:00',1,0,1981616627);
INSERT INTO "journal" VALUES(36,5,36,'B contraflor','B','3b241101-e2bb-4255-8caf-4136c566a962',165000,'2026-11-20T21:02:45+00:00',1,0,3771588999);
CREATE TABLE newest (
  game         INTEGER NOT NULL,        -- one row: the highest id, 0 as long as there is none
  settings     INTEGER NOT NULL         -- the sums of all settings, in order, folded
) STRICT;
INSERT INTO "newest" VALUES(5,4262575733);
CREATE TABLE setting (
  key          TEXT PRIMARY KEY,
  value        TEXT NOT NULL,
  sum          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "setting" VALUES('epoch','{"id": "0123456789abcdef", "from": 1}',1422751088);
CREATE INDEX late_rows ON journal (game) WHERE late = 1;
COMMIT;
PRAGMA application_id = 1414681923;
PRAGMA user_version = 2;

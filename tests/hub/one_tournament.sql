BEGIN TRANSACTION;
CREATE TABLE address (
	address VARCHAR(80) NOT NULL, 
	at VARCHAR(40) NOT NULL, 
	PRIMARY KEY (address)
);
CREATE TABLE alarm (
	id BIGINT NOT NULL, 
	device BIGINT NOT NULL, 
	epoch VARCHAR(16) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	subject TEXT NOT NULL, 
	machines TEXT NOT NULL, 
	text TEXT NOT NULL, 
	at VARCHAR(40) NOT NULL, 
	resolved VARCHAR(20) NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE card (
	"key" VARCHAR(64) NOT NULL, 
	table_number INTEGER NOT NULL, 
	device BIGINT NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE desired (
	device BIGINT NOT NULL, 
	rev BIGINT NOT NULL, 
	document TEXT NOT NULL, 
	PRIMARY KEY (device)
);
INSERT INTO "desired" VALUES(2,34,'{"cap":null,"cap_start":null,"do":"assign","header":"[Variant \"argentine\"]\n[Start \"A=0 B=0\"]\n[Mano \"A\"]\n[NameA \"Equipo Bia\"]\n[NameB \"Equipo Dora\"]\n[Match \"zonas-Z2-R1-M1\"]\n[Hall \"4d666a99-e0b9b479\"]\n","lock":true,"tolerance":900}');
INSERT INTO "desired" VALUES(3,35,'{"cap":null,"cap_start":null,"do":"assign","header":"[Variant \"argentine\"]\n[Start \"A=0 B=0\"]\n[Mano \"A\"]\n[NameA \"Equipo Fito\"]\n[NameB \"Equipo Ema\"]\n[Match \"zonas-Z2-R1-M2\"]\n[Hall \"4d666a99-02dfbf7e\"]\n","lock":true,"tolerance":900}');
CREATE TABLE device (
	id BIGINT NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	next_key VARCHAR(64) NOT NULL, 
	renew_epoch VARCHAR(16) NOT NULL, 
	renew_machine TEXT NOT NULL, 
	table_number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	machine TEXT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT device_key UNIQUE ("key")
);
INSERT INTO "device" VALUES(2,'e0cca2965509df678c8064f5e0b9076016fa752f88a6c749768db83479450cc5','','','',1,'','active','a91c');
INSERT INTO "device" VALUES(3,'d2b1f1d83f0ad4f52dec8a1e2091f5c94ffad00ed3528362353fbe97aacd0187','','','',2,'','active','a91c');
CREATE TABLE hold (
	device BIGINT NOT NULL, 
	epoch VARCHAR(16) NOT NULL, 
	reason VARCHAR(20) NOT NULL, 
	alarm BIGINT NOT NULL, 
	PRIMARY KEY (device, epoch)
);
CREATE TABLE log (
	seq BIGINT NOT NULL, 
	at VARCHAR(40) NOT NULL, 
	who VARCHAR(80) NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	body TEXT NOT NULL, 
	prev VARCHAR(64) NOT NULL, 
	PRIMARY KEY (seq)
);
INSERT INTO "log" VALUES(1,'2026-11-27T03:11:58Z','command line','admin','person.set','{"name":"ana","password":"scrypt$7801214fe16f5348fb066fb2f3b40279$d4a245c8f2c7647c7b3d2ac583753bc08fcd9750f2a74e9cf4dc3a1a1e2edbfd","role":"admin"}','');
INSERT INTO "log" VALUES(2,'2026-11-27T03:11:59Z','ana','admin','device.accepted','{"card":"","key":"e0cca2965509df678c8064f5e0b9076016fa752f88a6c749768db83479450cc5","machine":"a91c","name":"","program":"1.4","table":1}','e93c624312d210d1f60c24049a4bd382e4212b79bb8ad25cc92d5e1a42b5b626');
INSERT INTO "log" VALUES(3,'2026-11-27T03:12:00Z','ana','admin','device.accepted','{"card":"","key":"d2b1f1d83f0ad4f52dec8a1e2091f5c94ffad00ed3528362353fbe97aacd0187","machine":"a91c","name":"","program":"1.4","table":2}','e4961313641e0d730e7924552d4697b82d6d22ca6f67a661c7b7bf311baf3955');
INSERT INTO "log" VALUES(4,'2026-11-27T03:12:01Z','ana','admin','tournament.begun','{"format":{"phase":[{"id":"zonas","kind":"zones","target":30,"tiebreaks":["wins","met","games_difference","points_difference","points_for","walkovers","draw"],"title":"format.zones","variant":"argentine"},{"best_of":3,"from":[{"phase":"zonas","places":[1,2]}],"id":"llave","kind":"bracket","target":30,"third_place":true,"tiebreaks":["wins","met","games_difference","points_difference","points_for","walkovers","draw"],"title":"format.bracket","variant":"argentine"}],"players":2,"reserves":1,"teams":[6,128],"title":"format.zones_and_bracket"},"id":"zones_and_bracket"}','09a35d860f59f578546da329bf4063fc3878fa8937028662e036dbe25fca82eb');
INSERT INTO "log" VALUES(5,'2026-11-27T03:12:01Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Ana","players":[],"reserves":[],"seed":0}}','0664cda326bffadcd8ee35e3147121c43c7aa51a5ec5498e3bc4b66cfe78bcf0');
INSERT INTO "log" VALUES(6,'2026-11-27T03:12:01Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Bia","players":[],"reserves":[],"seed":0}}','3db6107bcbab23c42008d698956ec66cd394aa0318d8408bd7aec360cf13f7b0');
INSERT INTO "log" VALUES(7,'2026-11-27T03:12:01Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Caio","players":[],"reserves":[],"seed":0}}','06ead482989b91d43a9b398861d4c02fb3d6951ba818b521a82096464ddfc9a6');
INSERT INTO "log" VALUES(8,'2026-11-27T03:12:01Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Dora","players":[],"reserves":[],"seed":0}}','cc2eb6e6815614a46061306d63fb62319cd9794412d10f6230ff3dfc91b3da63');
INSERT INTO "log" VALUES(9,'2026-11-27T03:12:01Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Ema","players":[],"reserves":[],"seed":0}}','0e981b23ad5bebdf112a9d9b9bfdbc64f6d2a910edd3e1c17516c87d72222e2f');
INSERT INTO "log" VALUES(10,'2026-11-27T03:12:01Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Fito","players":[],"reserves":[],"seed":0}}','bb88515c9c470caf30df7fea970fdf72b10fcd26d83e5cf0e412151194d3780e');
INSERT INTO "log" VALUES(11,'2026-11-27T03:12:01Z','ana','admin','tournament.event','{"event":{"do":"Draw","seed":"20261123"}}','c506c11c9fb7dfc58aac51d0d6f18f4f0feb93c43340571f73404b97cd0c7802');
INSERT INTO "log" VALUES(12,'2026-11-27T03:12:01Z','ana','admin','tournament.event','{"event":{"do":"StartPhase","entrants":[2,6,3,1,5,4],"groups":[[2,1,5],[6,3,4]],"phase":"zonas"}}','ec16d2e12f00d771861b0f06ab41e47748c400e8b5cb32b0e7d9d2a037bf3cdb');
INSERT INTO "log" VALUES(13,'2026-11-27T03:12:01Z','ana','admin','desired.set','{"device":2,"document":{"cap":null,"cap_start":null,"do":"assign","header":"[Variant \"argentine\"]\n[Start \"A=0 B=0\"]\n[Mano \"A\"]\n[NameA \"Equipo Ana\"]\n[NameB \"Equipo Ema\"]\n[Match \"zonas-Z1-R1-M1\"]\n[Hall \"4d666a99-1d95f9df\"]\n","lock":true,"tolerance":900}}','5d88fa1d5c40ad074662671de99e0bbf0bf1fafa042805b16f98759c408a44fc');
INSERT INTO "log" VALUES(14,'2026-11-27T03:12:01Z','hub','hub','tournament.event','{"event":{"do":"RecordResult","match":"zonas-Z1-R1-M1","result":{"ending":"played","games":[1,0],"points":[30,0],"winner":0}}}','06fe9d50c590cc4d010e56b98fd8dcfe5928fa39b3a8f609ed501ac9b760ced7');
INSERT INTO "log" VALUES(15,'2026-11-27T03:12:02Z','ana','admin','desired.set','{"device":2,"document":{"cap":null,"cap_start":null,"do":"assign","header":"[Variant \"argentine\"]\n[Start \"A=0 B=0\"]\n[Mano \"A\"]\n[NameA \"Equipo Caio\"]\n[NameB \"Equipo Dora\"]\n[Match \"zonas-Z2-R1-M1\"]\n[Hall \"4d666a99-3451f72b\"]\n","lock":true,"tolerance":900}}','6e5b79208c06c5d8512d20349f148584a0f7ba523af81dea3b1070e019c6d1ed');
INSERT INTO "log" VALUES(16,'2026-11-27T03:12:02Z','hub','hub','tournament.event','{"event":{"do":"RecordResult","match":"zonas-Z2-R1-M1","result":{"ending":"played","games":[1,0],"points":[30,0],"winner":0}}}','f710f17253507029ac2ed699da75718b44362c926e4c536fe54dd315424c0be9');
INSERT INTO "log" VALUES(17,'2026-11-27T03:12:02Z','ana','admin','desired.set','{"device":2,"document":{"cap":null,"cap_start":null,"do":"assign","header":"[Variant \"argentine\"]\n[Start \"A=0 B=0\"]\n[Mano \"A\"]\n[NameA \"Equipo Ema\"]\n[NameB \"Equipo Bia\"]\n[Match \"zonas-Z1-R2-M1\"]\n[Hall \"4d666a99-5be1a79c\"]\n","lock":true,"tolerance":900}}','c2dcbd3ad66a890abd046996d1e7973c7e5fc2c81508f54ea9085305426c4b58');
INSERT INTO "log" VALUES(18,'2026-11-27T03:12:02Z','hub','hub','tournament.event','{"event":{"do":"RecordResult","match":"zonas-Z1-R2-M1","result":{"ending":"played","games":[1,0],"points":[30,0],"winner":0}}}','14b9869794d86999dff644da92cb0aea26268a1ef6f86e81e03e2a17931718d2');
INSERT INTO "log" VALUES(19,'2026-11-27T03:12:03Z','ana','admin','tournament.begun','{"format":{"phase":[{"id":"zonas","kind":"zones","target":30,"tiebreaks":["wins","met","games_difference","points_difference","points_for","walkovers","draw"],"title":"format.zones","variant":"argentine"},{"best_of":3,"from":[{"phase":"zonas","places":[1,2]}],"id":"llave","kind":"bracket","target":30,"third_place":true,"tiebreaks":["wins","met","games_difference","points_difference","points_for","walkovers","draw"],"title":"format.bracket","variant":"argentine"}],"players":2,"reserves":1,"teams":[6,128],"title":"format.zones_and_bracket"},"id":"zones_and_bracket"}','aee8336340b0ad616e10331f6af58b493aa611e74f67b90a0fdc6a7c0ff8e194');
INSERT INTO "log" VALUES(20,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Ana","players":[],"reserves":[],"seed":0}}','1dc98f39b3a38a5c059a54294b95226b5890fe7b5af09912619d691806608426');
INSERT INTO "log" VALUES(21,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Bia","players":[],"reserves":[],"seed":0}}','795ff37258cc21188149c617db8b49f6c18a804f5b29673a654d2ac31b93ee8a');
INSERT INTO "log" VALUES(22,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Caio","players":[],"reserves":[],"seed":0}}','12e775e2cfc4f79f484d0757cab2a5e1a9b821032094592093e53050b9290f56');
INSERT INTO "log" VALUES(23,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Dora","players":[],"reserves":[],"seed":0}}','f7fa794ec56837b170a35def8d4bc3d54c1a31cfa3bc3443ed471185fac580f1');
INSERT INTO "log" VALUES(24,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Ema","players":[],"reserves":[],"seed":0}}','bb30784c342dceca88524ea6c448c8ccb1b4cc82f2a94f772b6d30b20f8a7051');
INSERT INTO "log" VALUES(25,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Fito","players":[],"reserves":[],"seed":0}}','cd9e0cf509093d09508ebeb4ad1e8e62c0a6b9126884a3f36b141f0573e6e421');
INSERT INTO "log" VALUES(26,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Gina","players":[],"reserves":[],"seed":0}}','4259ba14606e8cafc0ac6438529c7d68dcd7be58a552d57de9310b73d684d6f2');
INSERT INTO "log" VALUES(27,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"club":"","do":"Enter","name":"Equipo Hugo","players":[],"reserves":[],"seed":0}}','164c70a07bcbf325ec0f0fe0a8b57c65ea20ac81bd7e3e4415c0e9c112c8d7e0');
INSERT INTO "log" VALUES(28,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"do":"Draw","seed":"20261123"}}','08be6d4503da12084190a7bd5d111d1a4034474ac128c1887204ab2f358e2bf3');
INSERT INTO "log" VALUES(29,'2026-11-27T03:12:03Z','ana','admin','tournament.event','{"event":{"do":"StartPhase","entrants":[7,2,6,3,1,5,4,8],"groups":[[7,3,1,8],[2,6,5,4]],"phase":"zonas"}}','04ed0bd97414574db958417b61603a052f23009f429b2c655fe138d8bc9202b3');
INSERT INTO "log" VALUES(30,'2026-11-27T03:12:03Z','ana','admin','desired.set','{"device":2,"document":{"cap":null,"cap_start":null,"do":"assign","header":"[Variant \"argentine\"]\n[Start \"A=0 B=0\"]\n[Mano \"A\"]\n[NameA \"Equipo Gina\"]\n[NameB \"Equipo Hugo\"]\n[Match \"zonas-Z1-R1-M1\"]\n[Hall \"4d666a99-84447388\"]\n","lock":true,"tolerance":900}}','e88b598a5ebb4f54175dba5d282de0fd2c4f7ba667f66e16fbeb9cb366abef47');
INSERT INTO "log" VALUES(31,'2026-11-27T03:12:03Z','hub','hub','tournament.event','{"event":{"do":"RecordResult","match":"zonas-Z1-R1-M1","result":{"ending":"played","games":[1,0],"points":[30,0],"winner":0}}}','b65f0fd18ad5808444a8dac9fbda8087c11ded0fb1427f747911762eb8542872');
INSERT INTO "log" VALUES(32,'2026-11-27T03:12:03Z','ana','admin','desired.set','{"device":2,"document":{"cap":null,"cap_start":null,"do":"assign","header":"[Variant \"argentine\"]\n[Start \"A=0 B=0\"]\n[Mano \"A\"]\n[NameA \"Equipo Caio\"]\n[NameB \"Equipo Ana\"]\n[Match \"zonas-Z1-R1-M2\"]\n[Hall \"4d666a99-7d90a953\"]\n","lock":true,"tolerance":900}}','c7b39c4ba82f107a15769604b4b2007218f57489c83359ce855cda93e63b097d');
INSERT INTO "log" VALUES(33,'2026-11-27T03:12:04Z','hub','hub','tournament.event','{"event":{"do":"RecordResult","match":"zonas-Z1-R1-M2","result":{"ending":"played","games":[1,0],"points":[30,0],"winner":0}}}','e88fe12ab30423c09899eef1336ec810e16fcb2ca2504dea00b41bc067995367');
INSERT INTO "log" VALUES(34,'2026-11-27T03:12:04Z','ana','admin','desired.set','{"device":2,"document":{"cap":null,"cap_start":null,"do":"assign","header":"[Variant \"argentine\"]\n[Start \"A=0 B=0\"]\n[Mano \"A\"]\n[NameA \"Equipo Bia\"]\n[NameB \"Equipo Dora\"]\n[Match \"zonas-Z2-R1-M1\"]\n[Hall \"4d666a99-e0b9b479\"]\n","lock":true,"tolerance":900}}','78e21bf9460059f02f7393ed6fb65c6864162f213b17a1bcf419a49d4f03a1b3');
INSERT INTO "log" VALUES(35,'2026-11-27T03:12:04Z','ana','admin','desired.set','{"device":3,"document":{"cap":null,"cap_start":null,"do":"assign","header":"[Variant \"argentine\"]\n[Start \"A=0 B=0\"]\n[Mano \"A\"]\n[NameA \"Equipo Fito\"]\n[NameB \"Equipo Ema\"]\n[Match \"zonas-Z2-R1-M2\"]\n[Hall \"4d666a99-02dfbf7e\"]\n","lock":true,"tolerance":900}}','532098b6bf216b5e1a62c9994b67d4103a893b564a32ec0736113ef3ac0a37fe');
INSERT INTO "log" VALUES(36,'2026-11-27T03:12:04Z','ana','admin','tournament.settings','{"calls_by_itself":true}','3b1d3b6d48aa743b5e96a595eceeb1aa4dd3a802d165b0bc1fb2cefbebf36906');
INSERT INTO "log" VALUES(37,'2026-11-27T03:12:04Z','ana','admin','tournament.settings','{"publish_after":null}','8d3fdf52366af4bb536ac6bb1ba271ab91464d5f5d2c0d3e6e5ea0708119dd45');
INSERT INTO "log" VALUES(38,'2026-11-27T03:12:04Z','ana','admin','screen.set','{"screen":"TMP","shows":{"phase":"zonas","show":"standings"}}','e062394b59fd46a7b5c30b4d55df8f39ba013b5062a23df444d27d9f6a2f54d7');
CREATE TABLE log_head (
	id INTEGER NOT NULL, 
	seq BIGINT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	projections INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "log_head" VALUES(1,38,'78d48d54bd91c31df2e7151fa5c9f4a594b36cf1659262549f0109437e6684ee',1);
CREATE TABLE login (
	"key" VARCHAR(64) NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	stamp VARCHAR(64) NOT NULL, 
	address VARCHAR(80) NOT NULL, 
	at VARCHAR(40) NOT NULL, 
	trusted BOOLEAN NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE opening (
	device BIGINT NOT NULL, 
	epoch VARCHAR(16) NOT NULL, 
	game BIGINT NOT NULL, 
	opened BIGINT NOT NULL, 
	header TEXT NOT NULL, 
	PRIMARY KEY (device, epoch, game)
);
INSERT INTO "opening" VALUES(2,'5f3a9c01d2e4b687',1,1,'[Variant "argentine"]
[Start "A=0 B=0"]
[Mano "A"]
[NameA "Equipo Ana"]
[NameB "Equipo Ema"]
[Match "zonas-Z1-R1-M1"]
[Hall "4d666a99-1d95f9df"]
');
INSERT INTO "opening" VALUES(2,'5f3a9c01d2e4b687',2,4,'[Variant "argentine"]
[Start "A=0 B=0"]
[Mano "A"]
[NameA "Equipo Caio"]
[NameB "Equipo Dora"]
[Match "zonas-Z2-R1-M1"]
[Hall "4d666a99-3451f72b"]
');
INSERT INTO "opening" VALUES(2,'5f3a9c01d2e4b687',3,7,'[Variant "argentine"]
[Start "A=0 B=0"]
[Mano "A"]
[NameA "Equipo Ema"]
[NameB "Equipo Bia"]
[Match "zonas-Z1-R2-M1"]
[Hall "4d666a99-5be1a79c"]
');
INSERT INTO "opening" VALUES(2,'5f3a9c01d2e4b687',4,10,'[Variant "argentine"]
[Start "A=0 B=0"]
[Mano "A"]
[NameA "Equipo Gina"]
[NameB "Equipo Hugo"]
[Match "zonas-Z1-R1-M1"]
[Hall "4d666a99-84447388"]
');
INSERT INTO "opening" VALUES(2,'5f3a9c01d2e4b687',5,13,'[Variant "argentine"]
[Start "A=0 B=0"]
[Mano "A"]
[NameA "Equipo Caio"]
[NameB "Equipo Ana"]
[Match "zonas-Z1-R1-M2"]
[Hall "4d666a99-7d90a953"]
');
INSERT INTO "opening" VALUES(3,'5f3a9c01d2e4b687',1,1,'[Variant "argentine"]
[Start "A=0 B=0"]
[Mano "A"]
[NameA "Equipo Fito"]
[NameB "Equipo Ema"]
[Match "zonas-Z2-R1-M2"]
[Hall "4d666a99-02dfbf7e"]
');
CREATE TABLE person (
	name VARCHAR(80) NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	password TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "person" VALUES('ana','admin','scrypt$7801214fe16f5348fb066fb2f3b40279$d4a245c8f2c7647c7b3d2ac583753bc08fcd9750f2a74e9cf4dc3a1a1e2edbfd');
CREATE TABLE presence (
	device BIGINT NOT NULL, 
	epoch VARCHAR(16) NOT NULL, 
	machine TEXT NOT NULL, 
	program TEXT NOT NULL, 
	greeted_ms BIGINT NOT NULL, 
	newest BIGINT NOT NULL, 
	digest VARCHAR(16) NOT NULL, 
	echo VARCHAR(16) NOT NULL, 
	PRIMARY KEY (device)
);
CREATE TABLE result (
	rev BIGINT NOT NULL, 
	device BIGINT NOT NULL, 
	match_id TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	phase VARCHAR(20) NOT NULL, 
	names TEXT NOT NULL, 
	games TEXT NOT NULL, 
	points TEXT NOT NULL, 
	who VARCHAR(80) NOT NULL, 
	at VARCHAR(40) NOT NULL, 
	PRIMARY KEY (rev)
);
CREATE TABLE "row" (
	device BIGINT NOT NULL, 
	epoch VARCHAR(16) NOT NULL, 
	seq BIGINT NOT NULL, 
	game BIGINT NOT NULL, 
	press BIGINT NOT NULL, 
	line TEXT NOT NULL, 
	source TEXT NOT NULL, 
	boot TEXT NOT NULL, 
	monotonic_ms BIGINT NOT NULL, 
	wall TEXT NOT NULL, 
	trusted BOOLEAN NOT NULL, 
	digest VARCHAR(16) NOT NULL, 
	PRIMARY KEY (device, epoch, seq)
);
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',1,1,1,'A award 30','console A','b0c7',100,'2026-11-22T20:14:05Z',1,'d6eaacef56b49643');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',2,1,2,'A agree','console A','b0c7',200,'2026-11-22T20:14:05Z',1,'ea6fec1321dd1777');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',3,1,3,'B agree','console A','b0c7',300,'2026-11-22T20:14:05Z',1,'f4d5a887cb109dcd');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',4,2,4,'A award 30','console A','b0c7',400,'2026-11-22T20:14:05Z',1,'4320814a0b09284d');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',5,2,5,'A agree','console A','b0c7',500,'2026-11-22T20:14:05Z',1,'e1068b6a85e6fec0');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',6,2,6,'B agree','console A','b0c7',600,'2026-11-22T20:14:05Z',1,'77ec36c3fa8b7960');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',7,3,7,'A award 30','console A','b0c7',700,'2026-11-22T20:14:05Z',1,'e01ee428f17828b1');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',8,3,8,'A agree','console A','b0c7',800,'2026-11-22T20:14:05Z',1,'597097ada1b34d9f');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',9,3,9,'B agree','console A','b0c7',900,'2026-11-22T20:14:05Z',1,'9c2ec428be932c35');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',10,4,10,'A award 30','console A','b0c7',1000,'2026-11-22T20:14:05Z',1,'5744f29ed92eca3f');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',11,4,11,'A agree','console A','b0c7',1100,'2026-11-22T20:14:05Z',1,'08d754a1c0dab0a3');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',12,4,12,'B agree','console A','b0c7',1200,'2026-11-22T20:14:05Z',1,'ae8d191813f6f741');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',13,5,13,'A award 30','console A','b0c7',1300,'2026-11-22T20:14:05Z',1,'d8bb0709595910d4');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',14,5,14,'A agree','console A','b0c7',1400,'2026-11-22T20:14:05Z',1,'44ef73d4f7403a09');
INSERT INTO "row" VALUES(2,'5f3a9c01d2e4b687',15,5,15,'B agree','console A','b0c7',1500,'2026-11-22T20:14:05Z',1,'ed63892f2d0f7ea3');
INSERT INTO "row" VALUES(3,'5f3a9c01d2e4b687',1,1,1,'A award 12','console A','b0c7',100,'2026-11-22T20:14:05Z',1,'1eadd820cef1da53');
CREATE TABLE secret (
	name VARCHAR(40) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE stream (
	device BIGINT NOT NULL, 
	epoch VARCHAR(16) NOT NULL, 
	ordinal INTEGER NOT NULL, 
	first BIGINT NOT NULL, 
	last BIGINT NOT NULL, 
	tip VARCHAR(16) NOT NULL, 
	PRIMARY KEY (device, epoch)
);
INSERT INTO "stream" VALUES(2,'5f3a9c01d2e4b687',1,1,15,'ed63892f2d0f7ea3');
INSERT INTO "stream" VALUES(3,'5f3a9c01d2e4b687',1,1,1,'1eadd820cef1da53');
CREATE INDEX device_next_key ON device (next_key);
COMMIT;

BEGIN TRANSACTION;
CREATE TABLE chronotable (
	schema INTEGER NOT NULL, 
	PRIMARY KEY (schema)
);
INSERT INTO "chronotable" VALUES(1);
CREATE TABLE games (
	file VARCHAR(255) NOT NULL, 
	size BIGINT NOT NULL, 
	mtime_ns BIGINT NOT NULL, 
	stored VARCHAR(255) NOT NULL, 
	id VARCHAR(255) NOT NULL, 
	white TEXT NOT NULL, 
	black TEXT NOT NULL, 
	players TEXT NOT NULL, 
	date TEXT NOT NULL, 
	result VARCHAR(8) NOT NULL, 
	termination VARCHAR(16) NOT NULL, 
	turns INTEGER NOT NULL, 
	modules TEXT NOT NULL, 
	options TEXT NOT NULL, 
	start TEXT NOT NULL, 
	board TEXT NOT NULL, 
	imported BOOLEAN NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	note TEXT NOT NULL, 
	problem TEXT NOT NULL, 
	PRIMARY KEY (file)
);
INSERT INTO "games" VALUES('2026-11-20T2153-06ea050f.ttykm',287,1795266968381400174,'2026-11-20T2153-06ea050f','06ea050f','Ada','Bob','ada
bob','2026-11-20','*','abandoned',4,'standard','','w..............b/w..............b/w..............b 0 2 4 4 w','?',0,'f0eb63ca68545edab19ce3bbb9977dafacdcce9acc8e8ed3bef4bb7201575a81','','');
INSERT INTO "games" VALUES('2026-11-20T2210-00000010.ttykm',288,1795266968383077871,'2026-11-20T2210-00000010','00000010','Zoë','Bob','zoë
bob','2026-11-20','*','abandoned',4,'standard','','w..............b/w..............b/w..............b 0 2 4 4 w','?',0,'0bb244dd5a4847674470b7803e4a6dd1aa09a1dfd1cbff7f32c63eafb64adb5e','','');
INSERT INTO "games" VALUES('empty.ttykm',0,1795266968383077871,'2026-11-21T1316-empty','empty','','','','','','',0,'','','','',0,'','','the file is empty');
INSERT INTO "games" VALUES('imported/2026-11-21T1316-0851a894.ttykm',287,1795266968723349201,'2026-11-21T1316-0851a894','0851a894','Eve','Bob','eve
bob','2026-11-20','*','abandoned',4,'standard','','w..............b/w..............b/w..............b 0 2 4 4 w','?',1,'54c30576e1615ef0bec45d2a34d5daf745893f5cec129daacef417678b605f92','','');
CREATE INDEX ix_games_stored ON games (stored);
CREATE INDEX ix_games_digest ON games (digest);
COMMIT;

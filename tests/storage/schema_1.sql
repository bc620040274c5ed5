-- A database as schema 1 wrote it: calls of every kind, and approvals in every state.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('identity','59f609bce7fb0814');
CREATE TABLE traces (
  number INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  call_id TEXT NOT NULL,
  keyed INTEGER NOT NULL,
  digest BLOB NOT NULL,
  outcome TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
INSERT INTO traces VALUES(1,'studio','','coder','read','allowed',1,X'd7877343832736ba968394e1699aa19627ded185ca29fa9dfe97ddba1214fc43','ALLOW',1767225600000000,1767225601250000);
INSERT INTO traces VALUES(2,'studio','','coder','read','open',1,X'4030162a7c3a173577612e920190d07a2c4d7e63d1d0d6ed7b10680941c849ef','ALLOW',1767225601250000,NULL);
INSERT INTO traces VALUES(3,'studio','','coder','old','disabled',1,X'354ca54859d86a00f91271d98bcdb254c6026a70949b0cef0cdae449cdd6eb5d','DENY',1767225602500000,1767225602500000);
INSERT INTO traces VALUES(4,'studio','','coder','read','unreadable',1,X'e802b34df9ea5159345f9ece3515d543de0c503198855f9cb8837f7f4b6ec8d9','DENY',1767225603750000,1767225603750000);
INSERT INTO traces VALUES(5,'studio','','','read','blank',1,X'919bc6a3757de5f54678856f1c71b65e3489454ed53752418b5f653e926e90f8','DENY',1767225605000000,1767225605000000);
INSERT INTO traces VALUES(6,'studio','s1','coder','read','pending',1,X'da910f9431a62324e4e8c15476b7641452c28fd7db85549a8ed5be99c12841a0','ASK',1767225606250000,NULL);
INSERT INTO traces VALUES(7,'studio','','coder','deploy','half',1,X'9726d17d31b9127c6e00f0a77bd2340b373a80af4385ab78adced4612e7bd25d','ASK',1767225607500000,NULL);
INSERT INTO traces VALUES(8,'studio','','coder','deploy','refused',1,X'7908a582b8fe70805b334a8b22f6dee483f4acd432c1ead238511ac4fc2b1c33','DENY',1767225610000000,1767225611250000);
INSERT INTO traces VALUES(9,'studio','','coder','read','used',1,X'760ff7a1a6837c50d6f5c263501a2a96d28fa2e1aeeffcd231bf0772e9b62466','ALLOW',1767225612500000,1767225615000000);
INSERT INTO traces VALUES(10,'studio','','coder','read','ready',1,X'2bac6580ba87a3acab99525be7645526454769dccd5a4eb3d7bf0bc0b95a73a3','ASK',1767225615000000,NULL);
INSERT INTO traces VALUES(11,'studio','','coder','read','expired',1,X'107bc4c63d9a009d047056ce67e81fadfa509c091956ac7510e2745c09a7f5ec','DENY',1767225616250000,1767225621250000);
INSERT INTO traces VALUES(12,'studio','','coder','read','used',0,X'8176703c3ff8f6c177b36efd5434e5cfc911f05ebbda4efbc0cbcc1891cdd3ff','DENY',1767225621250000,1767225621250000);
CREATE TABLE elements (
  trace INTEGER NOT NULL REFERENCES traces (number),
  sequence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (trace, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO elements VALUES(1,1,'input_context',1767225600000000,'{"tenant":"studio","agent":"coder","call_id":"allowed"}');
INSERT INTO elements VALUES(1,2,'proposed_action',1767225600000000,'{"tool":"read","arguments":{"path":"/a"},"arguments_bytes":13}');
INSERT INTO elements VALUES(1,3,'verdict',1767225600000000,'{"outcome":"ALLOW","step":7,"check":"rule_chain","step_reached":8,"reason_code":"ALLOWED","cause":"RULE_ALLOW","reason":"tool ''read'' with path ''/a'' in ''/path'' is allowed by rules.csv:1","tool":"read","agent":"coder","call_id":"allowed","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"allow","reason":""}}');
INSERT INTO elements VALUES(1,4,'tool_call',1767225601250000,'{"tool":"read","status":"succeeded","duration_ms":1500.0}');
INSERT INTO elements VALUES(1,5,'result',1767225601250000,'{"status":"succeeded","output":{"text":"done","n":12345678901234567890,"f":0.1}}');
INSERT INTO elements VALUES(1,6,'final_output',1767225601250000,'{"executed":true,"text":"gespeichert: \u00fc\u2713"}');
INSERT INTO elements VALUES(2,1,'input_context',1767225601250000,'{"tenant":"studio","agent":"coder","call_id":"open"}');
INSERT INTO elements VALUES(2,2,'proposed_action',1767225601250000,'{"tool":"read","arguments":{"path":"/a"},"arguments_bytes":13}');
INSERT INTO elements VALUES(2,3,'verdict',1767225601250000,'{"outcome":"ALLOW","step":7,"check":"rule_chain","step_reached":8,"reason_code":"ALLOWED","cause":"RULE_ALLOW","reason":"tool ''read'' with path ''/a'' in ''/path'' is allowed by rules.csv:1","tool":"read","agent":"coder","call_id":"open","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"allow","reason":""}}');
INSERT INTO elements VALUES(3,1,'input_context',1767225602500000,'{"tenant":"studio","agent":"coder","call_id":"disabled"}');
INSERT INTO elements VALUES(3,2,'proposed_action',1767225602500000,'{"tool":"old","arguments":{"path":"/a"},"arguments_bytes":13}');
INSERT INTO elements VALUES(3,3,'verdict',1767225602500000,'{"outcome":"DENY","step":4,"check":"tool_enabled","step_reached":4,"reason_code":"FORBIDDEN","cause":"TOOL_DISABLED","reason":"tool ''old'' is disabled: gone since spring","tool":"old","agent":"coder","call_id":"disabled","policy_version":"sha256:test","tool_status":"disabled","disable_reason":"gone since spring"}');
INSERT INTO elements VALUES(3,4,'final_output',1767225602500000,'{"executed":false,"text":"denied at S4 tool_enabled: tool ''old'' is disabled: gone since spring"}');
INSERT INTO elements VALUES(4,1,'input_context',1767225603750000,'{"tenant":"studio","agent":"coder","call_id":"unreadable"}');
INSERT INTO elements VALUES(4,2,'proposed_action',1767225603750000,'{"tool":"read","unreadable":"arguments are not JSON: Expecting value at character 9","arguments_bytes":8}');
INSERT INTO elements VALUES(4,3,'verdict',1767225603750000,'{"outcome":"DENY","step":8,"check":"input_contract","step_reached":8,"reason_code":"VALIDATION","cause":"ARGUMENTS_MALFORMED","reason":"arguments are not JSON: Expecting value at character 9","tool":"read","agent":"coder","call_id":"unreadable","policy_version":"sha256:test","tool_status":"enabled"}');
INSERT INTO elements VALUES(4,4,'final_output',1767225603750000,'{"executed":false,"text":"denied at S8 input_contract: arguments are not JSON: Expecting value at character 9"}');
INSERT INTO elements VALUES(5,1,'input_context',1767225605000000,'{"tenant":"studio","call_id":"blank"}');
INSERT INTO elements VALUES(5,2,'proposed_action',1767225605000000,'{"tool":"read","arguments":{"path":"/a"},"arguments_bytes":13}');
INSERT INTO elements VALUES(5,3,'verdict',1767225605000000,'{"outcome":"DENY","step":2,"check":"agent_registered","step_reached":2,"reason_code":"FORBIDDEN","cause":"AGENT_BLANK","reason":"the call names no agent, or a blank one in on_behalf_of","tool":"read","call_id":"blank","policy_version":"sha256:test","tool_status":"enabled"}');
INSERT INTO elements VALUES(5,4,'final_output',1767225605000000,'{"executed":false,"text":"denied at S2 agent_registered: the call names no agent, or a blank one in on_behalf_of"}');
INSERT INTO elements VALUES(6,1,'input_context',1767225606250000,'{"tenant":"studio","agent":"coder","on_behalf_of":["designer"],"principal":"user:zoe","session":"s1","call_id":"pending"}');
INSERT INTO elements VALUES(6,2,'proposed_action',1767225606250000,'{"tool":"read","arguments":{"path":"/\u00fc","n":[1,2.5,null]},"arguments_bytes":31}');
INSERT INTO elements VALUES(6,3,'verdict',1767225606250000,'{"outcome":"ASK","step":7,"check":"rule_chain","step_reached":8,"reason_code":"APPROVAL_REQUIRED","cause":"RULE_ASK","reason":"tool ''read'' with path ''/\\xfc'' in ''/path'' needs a person''s approval by rules.csv:1","tool":"read","agent":"coder","call_id":"pending","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"approval_id":"apr-1","approval_expires_at":"2026-01-01T00:05:06.250000+00:00"}');
INSERT INTO elements VALUES(6,4,'approval',1767225606250000,'{"event":"opened","approval_id":"apr-1","view_digest":"4833b04ef8bc449a133adb118f2e50d299b29bc5802b5ee06893d1980fe21cf2","quorum":1,"expires_at":"2026-01-01T00:05:06.250000+00:00"}');
INSERT INTO elements VALUES(7,1,'input_context',1767225607500000,'{"tenant":"studio","agent":"coder","call_id":"half"}');
INSERT INTO elements VALUES(7,2,'proposed_action',1767225607500000,'{"tool":"deploy","arguments":{"path":"/a"},"arguments_bytes":13}');
INSERT INTO elements VALUES(7,3,'verdict',1767225607500000,'{"outcome":"ASK","step":7,"check":"rule_chain","step_reached":8,"reason_code":"APPROVAL_REQUIRED","cause":"RULE_ASK","reason":"tool ''deploy'' needs a person''s approval by rules.csv:1","tool":"deploy","agent":"coder","call_id":"half","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"approval_id":"apr-2","approval_expires_at":"2026-01-01T00:05:07.500000+00:00"}');
INSERT INTO elements VALUES(7,4,'approval',1767225607500000,'{"event":"opened","approval_id":"apr-2","view_digest":"a60af21804fde1e47182bc27c303783cff3945887e7f5732410b95386adae171","quorum":2,"expires_at":"2026-01-01T00:05:07.500000+00:00"}');
INSERT INTO elements VALUES(7,5,'approval',1767225608750000,'{"event":"voted","approval_id":"apr-2","actor":"user:ann","decision":"approve"}');
INSERT INTO elements VALUES(8,1,'input_context',1767225610000000,'{"tenant":"studio","agent":"coder","call_id":"refused"}');
INSERT INTO elements VALUES(8,2,'proposed_action',1767225610000000,'{"tool":"deploy","arguments":{"path":"/a"},"arguments_bytes":13}');
INSERT INTO elements VALUES(8,3,'verdict',1767225610000000,'{"outcome":"ASK","step":7,"check":"rule_chain","step_reached":8,"reason_code":"APPROVAL_REQUIRED","cause":"RULE_ASK","reason":"tool ''deploy'' needs a person''s approval by rules.csv:1","tool":"deploy","agent":"coder","call_id":"refused","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"approval_id":"apr-4","approval_expires_at":"2026-01-01T00:05:10+00:00"}');
INSERT INTO elements VALUES(8,4,'approval',1767225610000000,'{"event":"opened","approval_id":"apr-4","view_digest":"13c6e3ee3ac4ab656e382562224d0106bd1193457eb41ac08b8e77fc683961d4","quorum":2,"expires_at":"2026-01-01T00:05:10+00:00"}');
INSERT INTO elements VALUES(8,5,'approval',1767225610000000,'{"event":"voted","approval_id":"apr-4","actor":"user:ann","decision":"approve"}');
INSERT INTO elements VALUES(8,6,'approval',1767225611250000,'{"event":"voted","approval_id":"apr-4","actor":"user:bob","decision":"deny"}');
INSERT INTO elements VALUES(8,7,'approval',1767225611250000,'{"event":"denied","approval_id":"apr-4"}');
INSERT INTO elements VALUES(8,8,'verdict',1767225611250000,'{"outcome":"DENY","step":7,"check":"approval_gate","step_reached":8,"reason_code":"STATE_ILLEGAL","cause":"APPROVAL_DENIED","reason":"a person denied the call","tool":"deploy","agent":"coder","call_id":"refused","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"approval_id":"apr-4"}');
INSERT INTO elements VALUES(8,9,'final_output',1767225611250000,'{"executed":false,"text":"denied at S7 approval_gate: a person denied the call"}');
INSERT INTO elements VALUES(9,1,'input_context',1767225612500000,'{"tenant":"studio","agent":"coder","call_id":"used"}');
INSERT INTO elements VALUES(9,2,'proposed_action',1767225612500000,'{"tool":"read","arguments":{"path":"/a"},"arguments_bytes":13}');
INSERT INTO elements VALUES(9,3,'verdict',1767225612500000,'{"outcome":"ASK","step":7,"check":"rule_chain","step_reached":8,"reason_code":"APPROVAL_REQUIRED","cause":"RULE_ASK","reason":"tool ''read'' with path ''/a'' in ''/path'' needs a person''s approval by rules.csv:1","tool":"read","agent":"coder","call_id":"used","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"approval_id":"apr-5","approval_expires_at":"2026-01-01T00:05:12.500000+00:00"}');
INSERT INTO elements VALUES(9,4,'approval',1767225612500000,'{"event":"opened","approval_id":"apr-5","view_digest":"8e66bbba9410bfc76bbc8ddd43458ad6b15636fbcee32d01ea3cbb5851a82e25","quorum":1,"expires_at":"2026-01-01T00:05:12.500000+00:00"}');
INSERT INTO elements VALUES(9,5,'approval',1767225612500000,'{"event":"voted","approval_id":"apr-5","actor":"user:ann","decision":"approve"}');
INSERT INTO elements VALUES(9,6,'approval',1767225612500000,'{"event":"approved","approval_id":"apr-5"}');
INSERT INTO elements VALUES(9,7,'approval',1767225613750000,'{"event":"consumed","approval_id":"apr-5"}');
INSERT INTO elements VALUES(9,8,'verdict',1767225613750000,'{"outcome":"ALLOW","step":7,"check":"approval_gate","step_reached":8,"reason_code":"ALLOWED","cause":"APPROVED","reason":"exactly this call was approved","tool":"read","agent":"coder","call_id":"used","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"approval_id":"apr-5"}');
INSERT INTO elements VALUES(9,9,'tool_call',1767225615000000,'{"tool":"read","status":"failed","duration_ms":0.0}');
INSERT INTO elements VALUES(9,10,'result',1767225615000000,'{"status":"failed","error_class":"TimeoutError"}');
INSERT INTO elements VALUES(9,11,'final_output',1767225615000000,'{"executed":true,"text":"execution failed"}');
INSERT INTO elements VALUES(10,1,'input_context',1767225615000000,'{"tenant":"studio","agent":"coder","call_id":"ready"}');
INSERT INTO elements VALUES(10,2,'proposed_action',1767225615000000,'{"tool":"read","arguments":{"path":"/a"},"arguments_bytes":13}');
INSERT INTO elements VALUES(10,3,'verdict',1767225615000000,'{"outcome":"ASK","step":7,"check":"rule_chain","step_reached":8,"reason_code":"APPROVAL_REQUIRED","cause":"RULE_ASK","reason":"tool ''read'' with path ''/a'' in ''/path'' needs a person''s approval by rules.csv:1","tool":"read","agent":"coder","call_id":"ready","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"approval_id":"apr-7","approval_expires_at":"2026-01-01T00:05:15+00:00"}');
INSERT INTO elements VALUES(10,4,'approval',1767225615000000,'{"event":"opened","approval_id":"apr-7","view_digest":"132e89b4db825f0f47247dc20bcc708eabb5b7bf38868ed1bbe95359e4df2b18","quorum":1,"expires_at":"2026-01-01T00:05:15+00:00"}');
INSERT INTO elements VALUES(10,5,'approval',1767225615000000,'{"event":"voted","approval_id":"apr-7","actor":"user:ann","decision":"approve"}');
INSERT INTO elements VALUES(10,6,'approval',1767225615000000,'{"event":"approved","approval_id":"apr-7"}');
INSERT INTO elements VALUES(11,1,'input_context',1767225616250000,'{"tenant":"studio","agent":"coder","call_id":"expired"}');
INSERT INTO elements VALUES(11,2,'proposed_action',1767225616250000,'{"tool":"read","arguments":{"path":"/a"},"arguments_bytes":13}');
INSERT INTO elements VALUES(11,3,'verdict',1767225616250000,'{"outcome":"ASK","step":7,"check":"rule_chain","step_reached":8,"reason_code":"APPROVAL_REQUIRED","cause":"RULE_ASK","reason":"tool ''read'' with path ''/a'' in ''/path'' needs a person''s approval by rules.csv:1","tool":"read","agent":"coder","call_id":"expired","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"approval_id":"apr-8","approval_expires_at":"2026-01-01T00:00:17.250000+00:00"}');
INSERT INTO elements VALUES(11,4,'approval',1767225616250000,'{"event":"opened","approval_id":"apr-8","view_digest":"d30264ec27f12347ca2769bb9c183cb2f45556032673b764ab56b69820829014","quorum":1,"expires_at":"2026-01-01T00:00:17.250000+00:00"}');
INSERT INTO elements VALUES(11,5,'approval',1767225621250000,'{"event":"expired","approval_id":"apr-8"}');
INSERT INTO elements VALUES(11,6,'verdict',1767225621250000,'{"outcome":"DENY","step":7,"check":"approval_gate","step_reached":8,"reason_code":"STATE_ILLEGAL","cause":"APPROVAL_EXPIRED","reason":"nobody decided and used the approval in time; silence is not consent","tool":"read","agent":"coder","call_id":"expired","policy_version":"sha256:test","tool_status":"enabled","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"approval_id":"apr-8"}');
INSERT INTO elements VALUES(11,7,'final_output',1767225621250000,'{"executed":false,"text":"denied at S7 approval_gate: nobody decided and used the approval in time; silence is not consent"}');
INSERT INTO elements VALUES(12,1,'input_context',1767225621250000,'{"tenant":"studio","agent":"coder","call_id":"used"}');
INSERT INTO elements VALUES(12,2,'proposed_action',1767225621250000,'{"tool":"read","arguments":{"path":"/b"},"arguments_bytes":13}');
INSERT INTO elements VALUES(12,3,'verdict',1767225621250000,'{"outcome":"DENY","step":7,"check":"approval_gate","step_reached":7,"reason_code":"STATE_ILLEGAL","cause":"CALL_ID_REUSED","reason":"this call_id was used for another call; a new call needs a new call_id","tool":"read","agent":"coder","call_id":"used","policy_version":"sha256:test","tool_status":"enabled"}');
INSERT INTO elements VALUES(12,4,'final_output',1767225621250000,'{"executed":false,"text":"denied at S7 approval_gate: this call_id was used for another call; a new call needs a new call_id"}');
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  trace INTEGER NOT NULL UNIQUE REFERENCES traces (number),
  tenant TEXT NOT NULL,
  tool TEXT NOT NULL,
  state TEXT NOT NULL,
  terms TEXT NOT NULL,
  view TEXT NOT NULL,
  opened_position INTEGER NOT NULL,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
INSERT INTO approvals VALUES('apr-1',6,'studio','read','pending','{"session":"s1","agent":"coder","on_behalf_of":["designer"],"principal":"user:zoe","call_id":"pending","digest":"da910f9431a62324e4e8c15476b7641452c28fd7db85549a8ed5be99c12841a0","view_digest":"4833b04ef8bc449a133adb118f2e50d299b29bc5802b5ee06893d1980fe21cf2","approvable":true,"ask_reason":"tool ''read'' with path ''/\\xfc'' in ''/path'' needs a person''s approval by rules.csv:1","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"quorum":1,"four_eyes":false}','{"tenant":"studio","session":"s1","agent":"coder","on_behalf_of":["designer"],"principal":"user:zoe","tool":"read","arguments":{"path":"/\u00fc","n":[1,2.5,null]},"call_id":"pending"}',1,1,1767225606250000,1767225906250000,1767225606250000);
INSERT INTO approvals VALUES('apr-2',7,'studio','deploy','pending','{"session":"","agent":"coder","on_behalf_of":[],"principal":"","call_id":"half","digest":"9726d17d31b9127c6e00f0a77bd2340b373a80af4385ab78adced4612e7bd25d","view_digest":"a60af21804fde1e47182bc27c303783cff3945887e7f5732410b95386adae171","approvable":true,"ask_reason":"tool ''deploy'' needs a person''s approval by rules.csv:1","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"quorum":2,"four_eyes":false}','{"tenant":"studio","agent":"coder","tool":"deploy","arguments":{"path":"/a"},"call_id":"half"}',2,3,1767225607500000,1767225907500000,1767225608750000);
INSERT INTO approvals VALUES('apr-4',8,'studio','deploy','denied','{"session":"","agent":"coder","on_behalf_of":[],"principal":"","call_id":"refused","digest":"7908a582b8fe70805b334a8b22f6dee483f4acd432c1ead238511ac4fc2b1c33","view_digest":"13c6e3ee3ac4ab656e382562224d0106bd1193457eb41ac08b8e77fc683961d4","approvable":true,"ask_reason":"tool ''deploy'' needs a person''s approval by rules.csv:1","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"quorum":2,"four_eyes":false}','{"tenant":"studio","agent":"coder","tool":"deploy","arguments":{"path":"/a"},"call_id":"refused"}',4,6,1767225610000000,1767225910000000,1767225611250000);
INSERT INTO approvals VALUES('apr-5',9,'studio','read','consumed','{"session":"","agent":"coder","on_behalf_of":[],"principal":"","call_id":"used","digest":"760ff7a1a6837c50d6f5c263501a2a96d28fa2e1aeeffcd231bf0772e9b62466","view_digest":"8e66bbba9410bfc76bbc8ddd43458ad6b15636fbcee32d01ea3cbb5851a82e25","approvable":true,"ask_reason":"tool ''read'' with path ''/a'' in ''/path'' needs a person''s approval by rules.csv:1","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"quorum":1,"four_eyes":false}','{"tenant":"studio","agent":"coder","tool":"read","arguments":{"path":"/a"},"call_id":"used"}',7,9,1767225612500000,1767225912500000,1767225613750000);
INSERT INTO approvals VALUES('apr-7',10,'studio','read','approved','{"session":"","agent":"coder","on_behalf_of":[],"principal":"","call_id":"ready","digest":"2bac6580ba87a3acab99525be7645526454769dccd5a4eb3d7bf0bc0b95a73a3","view_digest":"132e89b4db825f0f47247dc20bcc708eabb5b7bf38868ed1bbe95359e4df2b18","approvable":true,"ask_reason":"tool ''read'' with path ''/a'' in ''/path'' needs a person''s approval by rules.csv:1","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"quorum":1,"four_eyes":false}','{"tenant":"studio","agent":"coder","tool":"read","arguments":{"path":"/a"},"call_id":"ready"}',10,11,1767225615000000,1767225915000000,1767225615000000);
INSERT INTO approvals VALUES('apr-8',11,'studio','read','expired','{"session":"","agent":"coder","on_behalf_of":[],"principal":"","call_id":"expired","digest":"107bc4c63d9a009d047056ce67e81fadfa509c091956ac7510e2745c09a7f5ec","view_digest":"d30264ec27f12347ca2769bb9c183cb2f45556032673b764ab56b69820829014","approvable":true,"ask_reason":"tool ''read'' with path ''/a'' in ''/path'' needs a person''s approval by rules.csv:1","rule":{"file":"rules.csv","line":1,"text":"ask","reason":""},"quorum":1,"four_eyes":false}','{"tenant":"studio","agent":"coder","tool":"read","arguments":{"path":"/a"},"call_id":"expired"}',12,13,1767225616250000,1767225617250000,1767225621250000);
CREATE TABLE votes (
  approval TEXT NOT NULL REFERENCES approvals (id),
  actor TEXT NOT NULL,
  decision TEXT NOT NULL,
  reason TEXT NOT NULL,
  voted_at INTEGER NOT NULL,
  PRIMARY KEY (approval, actor, decision)
) STRICT, WITHOUT ROWID;
INSERT INTO votes VALUES('apr-2','user:ann','approve','',1767225608750000);
INSERT INTO votes VALUES('apr-4','user:ann','approve','',1767225610000000);
INSERT INTO votes VALUES('apr-4','user:bob','deny','',1767225611250000);
INSERT INTO votes VALUES('apr-5','user:ann','approve','',1767225612500000);
INSERT INTO votes VALUES('apr-7','user:ann','approve','',1767225615000000);
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO counters VALUES('approval_position',13);
CREATE UNIQUE INDEX traces_by_call ON traces (tenant, session, call_id) WHERE keyed = 1;
CREATE INDEX approvals_pending ON approvals (trace) WHERE state = 'pending';
CREATE INDEX approvals_by_deadline ON approvals (expires_at) WHERE state IN ('pending', 'approved');
CREATE UNIQUE INDEX approvals_by_position ON approvals (position);
CREATE TRIGGER elements_never_change BEFORE UPDATE ON elements
BEGIN SELECT RAISE(ABORT, 'an element never changes'); END;
CREATE TRIGGER elements_never_go BEFORE DELETE ON elements
BEGIN SELECT RAISE(ABORT, 'an element is never removed'); END;
CREATE TRIGGER elements_never_replaced BEFORE INSERT ON elements
WHEN EXISTS (SELECT 1 FROM elements WHERE trace = NEW.trace AND sequence = NEW.sequence)
BEGIN SELECT RAISE(ABORT, 'an element is never replaced'); END;
CREATE TRIGGER elements_not_after_finish BEFORE INSERT ON elements
WHEN (SELECT finished_at FROM traces WHERE number = NEW.trace) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trace takes no more'); END;
CREATE TRIGGER traces_not_after_finish BEFORE UPDATE ON traces WHEN OLD.finished_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trace never changes'); END;
CREATE TRIGGER traces_keep_their_call
BEFORE UPDATE OF number, tenant, session, agent, tool, call_id, keyed, digest, opened_at ON traces
BEGIN SELECT RAISE(ABORT, 'the call of a trace never changes'); END;
CREATE TRIGGER traces_never_go BEFORE DELETE ON traces
BEGIN SELECT RAISE(ABORT, 'a trace is never removed'); END;
CREATE TRIGGER traces_never_replaced BEFORE INSERT ON traces
WHEN EXISTS (SELECT 1 FROM traces WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'a trace is never replaced'); END;
CREATE TRIGGER traces_keep_their_key BEFORE INSERT ON traces
WHEN NEW.keyed = 1 AND EXISTS (
  SELECT 1 FROM traces
  WHERE tenant = NEW.tenant AND session = NEW.session AND call_id = NEW.call_id AND keyed = 1
)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER approvals_final BEFORE UPDATE ON approvals
WHEN OLD.state NOT IN ('pending', 'approved')
BEGIN SELECT RAISE(ABORT, 'a final state never changes'); END;
CREATE TRIGGER approvals_keep_their_terms
BEFORE UPDATE OF id, trace, tenant, tool, terms, view, opened_position, created_at, expires_at ON approvals
BEGIN SELECT RAISE(ABORT, 'what an approval was opened with never changes'); END;
CREATE TRIGGER approvals_never_go BEFORE DELETE ON approvals
BEGIN SELECT RAISE(ABORT, 'an approval is never removed'); END;
CREATE TRIGGER approvals_never_replaced BEFORE INSERT ON approvals
WHEN EXISTS (SELECT 1 FROM approvals WHERE id = NEW.id OR trace = NEW.trace OR position = NEW.position)
BEGIN SELECT RAISE(ABORT, 'an approval is never replaced'); END;
CREATE TRIGGER votes_never_change BEFORE UPDATE ON votes
BEGIN SELECT RAISE(ABORT, 'a vote never changes'); END;
CREATE TRIGGER votes_never_go BEFORE DELETE ON votes
BEGIN SELECT RAISE(ABORT, 'a vote is never removed'); END;
CREATE TRIGGER votes_never_replaced BEFORE INSERT ON votes
WHEN EXISTS (
  SELECT 1 FROM votes WHERE approval = NEW.approval AND actor = NEW.actor AND decision = NEW.decision
)
BEGIN SELECT RAISE(ABORT, 'a vote is never replaced'); END;
PRAGMA user_version = 1;
COMMIT;

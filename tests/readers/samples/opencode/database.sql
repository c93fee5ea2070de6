CREATE TABLE `project` (
          `id` text PRIMARY KEY,
          `worktree` text NOT NULL,
          `vcs` text,
          `name` text,
          `icon_url` text,
          `icon_url_override` text,
          `icon_color` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_initialized` integer,
          `sandboxes` text NOT NULL,
          `commands` text
        );
INSERT INTO `project` (`id`,`worktree`,`vcs`,`name`,`icon_url`,`icon_url_override`,`icon_color`,`time_created`,`time_updated`,`time_initialized`,`sandboxes`,`commands`) VALUES ('global','/',NULL,NULL,NULL,NULL,NULL,1794785500315,1794785515588,NULL,'[]',NULL);
CREATE TABLE `session` (
          `id` text PRIMARY KEY,
          `project_id` text NOT NULL,
          `workspace_id` text,
          `parent_id` text,
          `slug` text NOT NULL,
          `directory` text NOT NULL,
          `path` text,
          `title` text NOT NULL,
          `version` text NOT NULL,
          `share_url` text,
          `summary_additions` integer,
          `summary_deletions` integer,
          `summary_files` integer,
          `summary_diffs` text,
          `metadata` text,
          `cost` real DEFAULT 0 NOT NULL,
          `tokens_input` integer DEFAULT 0 NOT NULL,
          `tokens_output` integer DEFAULT 0 NOT NULL,
          `tokens_reasoning` integer DEFAULT 0 NOT NULL,
          `tokens_cache_read` integer DEFAULT 0 NOT NULL,
          `tokens_cache_write` integer DEFAULT 0 NOT NULL,
          `revert` text,
          `permission` text,
          `agent` text,
          `model` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_compacting` integer,
          `time_archived` integer,
          CONSTRAINT `fk_session_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
INSERT INTO `session` (`id`,`project_id`,`workspace_id`,`parent_id`,`slug`,`directory`,`path`,`title`,`version`,`share_url`,`summary_additions`,`summary_deletions`,`summary_files`,`summary_diffs`,`metadata`,`cost`,`tokens_input`,`tokens_output`,`tokens_reasoning`,`tokens_cache_read`,`tokens_cache_write`,`revert`,`permission`,`agent`,`model`,`time_created`,`time_updated`,`time_compacting`,`time_archived`) VALUES ('ses_e1e72a04affeE62CM23GpHrMLT','global',NULL,NULL,'curious-wolf','/home/dev/project','home/dev/project','title','1.18.33',NULL,0,0,0,NULL,NULL,0.0,400,80,0,0,0,NULL,'[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]','build','{"id":"scripted","providerID":"scripted","variant":"default"}',1794785501109,1794785511159,NULL,NULL);
CREATE TABLE `message` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
INSERT INTO `message` (`id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('msg_1e18d61fd001kjEH3EG34OFAY8','ses_e1e72a04affeE62CM23GpHrMLT',1794785501694,1794785510967,'{"role":"user","time":{"created":1794785501694},"agent":"build","model":{"providerID":"scripted","modelID":"scripted"},"summary":{"diffs":[]}}');
INSERT INTO `message` (`id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('msg_1e18d70520016OSS3R7rwptaV5','ses_e1e72a04affeE62CM23GpHrMLT',1794785505362,1794785510185,'{"parentID":"msg_1e18d61fd001kjEH3EG34OFAY8","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted","providerID":"scripted","time":{"created":1794785505362,"completed":1794785510179},"finish":"tool-calls"}');
INSERT INTO `message` (`id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('msg_1e18d8339001xJsypFqnoWvKt9','ses_e1e72a04affeE62CM23GpHrMLT',1794785510201,1794785510526,'{"parentID":"msg_1e18d61fd001kjEH3EG34OFAY8","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted","providerID":"scripted","time":{"created":1794785510201,"completed":1794785510525},"finish":"tool-calls"}');
INSERT INTO `message` (`id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('msg_1e18d84890018FMtAb40ujYw2J','ses_e1e72a04affeE62CM23GpHrMLT',1794785510537,1794785510889,'{"parentID":"msg_1e18d61fd001kjEH3EG34OFAY8","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted","providerID":"scripted","time":{"created":1794785510537,"completed":1794785510863},"finish":"tool-calls"}');
INSERT INTO `message` (`id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('msg_1e18d85f50010k5dKoRqd0RMe4','ses_e1e72a04affeE62CM23GpHrMLT',1794785510901,1794785511115,'{"parentID":"msg_1e18d61fd001kjEH3EG34OFAY8","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/project","root":"/"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted","providerID":"scripted","time":{"created":1794785510901,"completed":1794785511114},"finish":"stop"}');
CREATE TABLE `part` (
          `id` text PRIMARY KEY,
          `message_id` text NOT NULL,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_part_message_id_message_id_fk` FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE
        );
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d620a001wAt1CgsdFwK4uZ','msg_1e18d61fd001kjEH3EG34OFAY8','ses_e1e72a04affeE62CM23GpHrMLT',1794785505224,1794785505238,'{"type":"text","text":"\"please look into it\""}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d7dff001hhM7TBRZylP8vD','msg_1e18d70520016OSS3R7rwptaV5','ses_e1e72a04affeE62CM23GpHrMLT',1794785508863,1794785508865,'{"type":"step-start"}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d7e04001PTJUglVdnlTVU8','msg_1e18d70520016OSS3R7rwptaV5','ses_e1e72a04affeE62CM23GpHrMLT',1794785508868,1794785509114,'{"type":"text","text":"I will look.","time":{"start":1794785508868,"end":1794785509112}}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d7e14001Ae51IjxOEySao2','msg_1e18d70520016OSS3R7rwptaV5','ses_e1e72a04affeE62CM23GpHrMLT',1794785508884,1794785510009,'{"type":"tool","tool":"bash","callID":"call_0_0","state":{"status":"completed","input":{"command":"cat notes.txt","description":"look"},"output":"hello\n","metadata":{"output":"hello\n","exit":0,"truncated":false},"title":"cat notes.txt","time":{"start":1794785508919,"end":1794785510008}}}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d7e43001HfvtkQ8vsTpip0','msg_1e18d70520016OSS3R7rwptaV5','ses_e1e72a04affeE62CM23GpHrMLT',1794785508944,1794785510128,'{"type":"tool","tool":"read","callID":"call_0_1","state":{"status":"completed","input":{"filePath":"/home/dev/project/notes.txt"},"output":"<path>/home/dev/project/notes.txt</path>\n<type>file</type>\n<content>\n1: hello\n\n(End of file - total 1 lines)\n</content>","metadata":{"preview":"hello","truncated":false,"loaded":[],"display":{"type":"file","path":"/home/dev/project/notes.txt","text":"hello","lineStart":1,"lineEnd":1,"totalLines":1,"truncated":false}},"title":"home/dev/project/notes.txt","time":{"start":1794785509081,"end":1794785510115}}}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d82fc001WObL1GgdjFEAK2','msg_1e18d70520016OSS3R7rwptaV5','ses_e1e72a04affeE62CM23GpHrMLT',1794785510140,1794785510142,'{"reason":"tool-calls","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d842f001Gj4KCa4YtoBr6A','msg_1e18d8339001xJsypFqnoWvKt9','ses_e1e72a04affeE62CM23GpHrMLT',1794785510447,1794785510449,'{"type":"step-start"}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d8432001lPEbNOt0kut3s8','msg_1e18d8339001xJsypFqnoWvKt9','ses_e1e72a04affeE62CM23GpHrMLT',1794785510450,1794785510511,'{"type":"tool","tool":"bash","callID":"call_1_0","state":{"status":"completed","input":{"command":"cat missing.txt","description":"look"},"output":"cat: missing.txt: No such file or directory\n","metadata":{"output":"cat: missing.txt: No such file or directory\n","exit":1,"truncated":false},"title":"cat missing.txt","time":{"start":1794785510458,"end":1794785510510}}}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d8470001jWe22gDwC13IMY','msg_1e18d8339001xJsypFqnoWvKt9','ses_e1e72a04affeE62CM23GpHrMLT',1794785510513,1794785510513,'{"reason":"tool-calls","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d851c001jHHrKrSWVN8Im8','msg_1e18d84890018FMtAb40ujYw2J','ses_e1e72a04affeE62CM23GpHrMLT',1794785510685,1794785510686,'{"type":"step-start"}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d851f001Otrgi5zSHfYHOD','msg_1e18d84890018FMtAb40ujYw2J','ses_e1e72a04affeE62CM23GpHrMLT',1794785510687,1794785510786,'{"type":"tool","tool":"read","callID":"call_2_0","state":{"status":"error","input":{"filePath":"/home/dev/project/none.txt"},"error":"File not found: /home/dev/project/none.txt","time":{"start":1794785510730,"end":1794785510785}}}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d8584001VzC6IFw5MFRf69','msg_1e18d84890018FMtAb40ujYw2J','ses_e1e72a04affeE62CM23GpHrMLT',1794785510788,1794785510789,'{"reason":"tool-calls","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d86910011RR9RqPDBUF8SK','msg_1e18d85f50010k5dKoRqd0RMe4','ses_e1e72a04affeE62CM23GpHrMLT',1794785511057,1794785511058,'{"type":"step-start"}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d8693001bb7sA2STMcFfqp','msg_1e18d85f50010k5dKoRqd0RMe4','ses_e1e72a04affeE62CM23GpHrMLT',1794785511063,1794785511066,'{"type":"text","text":"all done","time":{"start":1794785511059,"end":1794785511066}}');
INSERT INTO `part` (`id`,`message_id`,`session_id`,`time_created`,`time_updated`,`data`) VALUES ('prt_1e18d86a9001VNCeVYIwQgjkHl','msg_1e18d85f50010k5dKoRqd0RMe4','ses_e1e72a04affeE62CM23GpHrMLT',1794785511082,1794785511096,'{"reason":"stop","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');

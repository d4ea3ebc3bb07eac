SELECT pg_catalog.set_config('search_path', '', false);
CREATE FUNCTION public.refuse_event_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'events are append-only'; END $$;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.annotator (
    id integer NOT NULL,
    project_id integer NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.annotator_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.annotator_id_seq OWNED BY public.annotator.id;
CREATE TABLE public.event (
    project_id integer NOT NULL,
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    annotator_id integer NOT NULL,
    at timestamp with time zone NOT NULL,
    seconds double precision,
    payload json NOT NULL,
    key character varying(200) NOT NULL,
    CONSTRAINT ck_event_seconds CHECK ((seconds >= (0)::double precision)),
    CONSTRAINT ck_event_seq CHECK ((seq >= 1))
);
CREATE TABLE public.image (
    project_id integer NOT NULL,
    "position" integer NOT NULL,
    path bytea NOT NULL,
    path_digest bytea NOT NULL,
    status character varying(16) NOT NULL,
    reason text NOT NULL,
    width integer,
    height integer,
    added_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_image_position CHECK (("position" >= 0)),
    CONSTRAINT ck_image_status CHECK (((status)::text = ANY ((ARRAY['present'::character varying, 'gone'::character varying, 'unreadable'::character varying])::text[])))
);
CREATE TABLE public.invite (
    project_id integer NOT NULL,
    uid character varying(32) NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);
CREATE TABLE public.project (
    id integer NOT NULL,
    uid character varying(32) NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    settings json NOT NULL
);
CREATE SEQUENCE public.project_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.project_id_seq OWNED BY public.project.id;
CREATE TABLE public.secret (
    project_id integer NOT NULL,
    name character varying(32) NOT NULL,
    value bytea NOT NULL
);
ALTER TABLE ONLY public.annotator ALTER COLUMN id SET DEFAULT nextval('public.annotator_id_seq'::regclass);
ALTER TABLE ONLY public.project ALTER COLUMN id SET DEFAULT nextval('public.project_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0003');
INSERT INTO public.annotator VALUES (1, 1, 'ann', '2026-11-16 21:44:28.100893+00');
INSERT INTO public.annotator VALUES (2, 1, 'bob <b>', '2026-11-16 21:44:28.131235+00');
INSERT INTO public.annotator VALUES (3, 1, 'eve 🍂', '2026-11-16 21:44:28.144116+00');
INSERT INTO public.annotator VALUES (4, 1, 'p1', '2026-11-16 21:44:28.228068+00');
INSERT INTO public.annotator VALUES (5, 1, 'w', '2026-11-16 21:44:28.244193+00');
INSERT INTO public.event VALUES (1, 1, 'answer', 1, '2026-11-16 21:44:28.098896+00', 1.5, '{"items":[2,5],"kind":"pair","shown":{},"value":"same"}', '8f1e341838654761a39683acf6d3c428');
INSERT INTO public.event VALUES (1, 2, 'answer', 1, '2026-11-16 21:44:28.125046+00', NULL, '{"items":[2,3],"kind":"pair","shown":{"overlap":2},"value":"different"}', 'k/2');
INSERT INTO public.event VALUES (1, 3, 'answer', 2, '2026-11-16 21:44:28.130261+00', NULL, '{"items":[2,3],"kind":"pair","shown":{"overlap":2},"value":"same"}', '3f34104e72c24c62a75b3eb0d55d1434');
INSERT INTO public.event VALUES (1, 4, 'adjudicate', 1, '2026-11-16 21:44:28.139868+00', NULL, '{"items":[2,3],"kind":"pair","shown":{},"value":"different"}', '7f2f87a71f6542919df97f9dd95d47b6');
INSERT INTO public.event VALUES (1, 5, 'answer', 3, '2026-11-16 21:44:28.14329+00', NULL, '{"items":[3,6,4],"kind":"triplet","shown":{},"value":"ab"}', 'de08a5fbb7454d30b9c554d29689e2c1');
INSERT INTO public.event VALUES (1, 6, 'answer', 1, '2026-11-16 21:44:28.147962+00', NULL, '{"items":[4,7],"kind":"pair","shown":{},"value":"unsure"}', 'e4b32d17ef1243e4948fe7c7f4735109');
INSERT INTO public.event VALUES (1, 7, 'gold', 1, '2026-11-16 21:44:28.155913+00', NULL, '{"items":[4,7],"kind":"pair","shown":{},"value":"same"}', '930b10dac5864a95b4b76aa7a5770fe2');
INSERT INTO public.event VALUES (1, 8, 'answer', 2, '2026-11-16 21:44:28.159071+00', NULL, '{"items":[4,7],"kind":"pair","shown":{"gold":"same"},"value":"different"}', '01848e4b084946c997d625851ee91c8d');
INSERT INTO public.event VALUES (1, 9, 'grid', 1, '2026-11-16 21:44:28.162556+00', NULL, '{"items":[2,8,3],"odd":[3],"shown":{},"statements":[[2,8,"same"],[2,3,"different"]]}', 'd0ebe27170eb4af787e5334bdfcff821');
INSERT INTO public.event VALUES (1, 10, 'merge', 1, '2026-11-16 21:44:28.165561+00', NULL, '{"groups":[[3,6],[9]],"statements":[[3,9,"same"]]}', '190e127a8828467d92df24068bae8ad9');
INSERT INTO public.event VALUES (1, 11, 'split', 1, '2026-11-16 21:44:28.168747+00', NULL, '{"kept":[2],"statements":[[4,2,"different"]],"taken":[4]}', '9a14bc750233459b8af45eb557c27020');
INSERT INTO public.event VALUES (1, 12, 'move', 2, '2026-11-16 21:44:28.172211+00', NULL, '{"source":[2],"statements":[[10,4,"same"],[10,2,"different"]],"taken":[10],"target":[4,7]}', '95116122d8a743df8fc5dc89b797ea09');
INSERT INTO public.event VALUES (1, 13, 'confirm', 1, '2026-11-16 21:44:28.175392+00', NULL, '{"items":[2,5,8],"shown":{}}', '77d52d7bc9d4481899d5bcdf4135f580');
INSERT INTO public.event VALUES (1, 14, 'unconfirm', 1, '2026-11-16 21:44:28.179503+00', NULL, '{"items":[8],"shown":{}}', '2176d20a47f6456fb34fd90988fd4729');
INSERT INTO public.event VALUES (1, 15, 'name', 3, '2026-11-16 21:44:28.18353+00', NULL, '{"items":[2,5],"name":"oak ''n\n\"elm\""}', '2b7b7469bcdd4cddb8492fd648bb78ca');
INSERT INTO public.event VALUES (1, 16, 'bad', 1, '2026-11-16 21:44:28.187215+00', NULL, '{"items":[11,0],"shown":{}}', 'a524192ab1b8477d8d38e87981b1a051');
INSERT INTO public.event VALUES (1, 17, 'restore', 1, '2026-11-16 21:44:28.18972+00', NULL, '{"items":[0],"shown":{}}', 'f92c4d07c866421fa5263ba99000233d');
INSERT INTO public.event VALUES (1, 18, 'tag', 1, '2026-11-16 21:44:28.192448+00', NULL, '{"items":[2,3],"name":"green","value":"yes"}', '2bb9f34a127c4797aa7c467c04896f91');
INSERT INTO public.event VALUES (1, 19, 'answer', 1, '2026-11-16 21:44:28.195378+00', NULL, '{"items":[9,10],"kind":"pair","shown":{},"value":"same"}', '1ef32f4e354c4cabb38c5d3c925289c0');
INSERT INTO public.event VALUES (1, 20, 'withdraw', 1, '2026-11-16 21:44:28.200828+00', NULL, '{"events":[19],"how":"undo"}', '77d6b5272a0240c0b232a1a3bde93c64');
INSERT INTO public.event VALUES (1, 21, 'name', 2, '2026-11-16 21:44:28.203769+00', NULL, '{"items":[4],"name":"ash"}', 'eb07b605cb514cf5b7d0ed2b3bef59ee');
INSERT INTO public.event VALUES (1, 22, 'withdraw', 2, '2026-11-16 21:44:28.206815+00', NULL, '{"events":[21],"how":"undo"}', 'c5e9ca76e4c34c95aa8a91c851d6f85c');
INSERT INTO public.event VALUES (1, 23, 'withdraw', 2, '2026-11-16 21:44:28.2102+00', NULL, '{"events":[22],"how":"redo"}', '6370b0565eb44c9eb2c1146dd2575fc6');
INSERT INTO public.event VALUES (1, 24, 'answer', 3, '2026-11-16 21:44:28.214456+00', NULL, '{"items":[8,9],"kind":"pair","shown":{},"value":"same"}', 'ed6b0e69547b4d9790f6f73cb5af0304');
INSERT INTO public.event VALUES (1, 25, 'withdraw', 1, '2026-11-16 21:44:28.220368+00', NULL, '{"events":[24],"how":"choice"}', 'a690fcd5508f4683beac9b123cc152b0');
INSERT INTO public.event VALUES (1, 26, 'study', 1, '2026-11-16 21:44:28.224643+00', NULL, '{"name":"s1","plan":{"pairs":1}}', 'e8ccdd6d88b94fed8cbfabf37aebae5a');
INSERT INTO public.event VALUES (1, 27, 'study-start', 4, '2026-11-16 21:44:28.227352+00', NULL, '{"name":"s1","questions":[["pair",[2,3],false]]}', '0c7e9136635f40f5a8770d011ca70402');
INSERT INTO public.event VALUES (1, 28, 'study-answer', 4, '2026-11-16 21:44:28.23143+00', 2.25, '{"items":[2,3],"kind":"pair","name":"s1","number":0,"shown":{},"value":"different"}', '3cc74677003342279db535580ed09485');
INSERT INTO public.event VALUES (1, 29, 'take-back', 4, '2026-11-16 21:44:28.234889+00', NULL, '{"events":[28],"name":"s1"}', '5598f631aaf34aa8b26ab1226fcc811d');
INSERT INTO public.event VALUES (1, 30, 'study-survey', 4, '2026-11-16 21:44:28.237418+00', NULL, '{"choices":{"preference":"pair"},"comment":"","name":"s1"}', 'e43f147a52564501b83c771fad45117a');
INSERT INTO public.event VALUES (1, 31, 'crowd', 1, '2026-11-16 21:44:28.240239+00', NULL, '{"hits":[[2,3,4],[5,6]],"kind":"keywords","name":"w1","overlap":2}', 'e7192dcd41b44b66a12887d9e778d3d4');
INSERT INTO public.event VALUES (1, 32, 'crowd-start', 5, '2026-11-16 21:44:28.243359+00', NULL, '{"hit":1,"name":"w1"}', '9ed7fa29e33c48438dcec84b48ed3373');
INSERT INTO public.event VALUES (1, 33, 'crowd-hit', 5, '2026-11-16 21:44:28.247849+00', NULL, '{"hit":1,"marks":[[5,["red"]],[6,[]]],"name":"w1"}', 'fdb63f6061ff4e83b415cb56a8f9f348');
INSERT INTO public.event VALUES (1, 34, 'answer', 1, '2026-11-16 21:44:28.251348+00', 0.5, '{"items":[5,6],"kind":"pair","shown":{},"value":"different"}', 'imported');
INSERT INTO public.image VALUES (1, 2, '\x612e706e67', '\x7f071235805fbf58a2524f77bff76e1391d0d1cfe2f4c190d73054495e05b460', 'present', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 3, '\x622e706e67', '\x5f59d8e87a6efbf43f23410175de477396d74daf9ade43b442ca02fc5413ad1d', 'present', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 4, '\x632e706e67', '\x58704e585ac93cab490a96fc2c01fb0b44ab612bc2322023d771d0643964fad5', 'present', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 5, '\x642e706e67', '\xa14ae8912b535394371ce0402f11be200894b371a4508647ccc10e3ea11a0810', 'present', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 6, '\x652e706e67', '\x67ccb2126a95e17932075035ad25a47b419e9013ec678c73b1bd90a71d7c27c5', 'present', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 7, '\x662e706e67', '\x97e5b1e6ab837c41b1ab8742ae2d4d8c1410836f13874a7e9dac71ff0f9d00db', 'present', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 8, '\x672e706e67', '\xe1bfefa774fd09c870c1de88ed049ea8e3256f900902abae607ff4008187c6fe', 'present', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 10, '\x692e706e67', '\x0a7b7703c93599170ade5b1451d7d1e4836bc1e51ec55aa40e99b4488ed25018', 'present', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 11, '\x6a2e706e67', '\x25590e2e567059d306abc6b546415a799b0f90dfb33d38705ba5a1f5b4054358', 'present', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 0, '\x6b2e706e67', '\x7ceab92e71ae239e85dc14cebb54523e493d3a54ccbb780ea221a2dbdd7076ef', 'present', '', 12, 12, '2026-11-16 21:44:26.976969+00');
INSERT INTO public.image VALUES (1, 1, '\x6e6f2070696374757265', '\x9ed97c950c330a5b556b00fe9d46390594f0a34437886edd034c323444fbd7d8', 'gone', '', NULL, NULL, '2026-11-16 21:44:26.976969+00');
INSERT INTO public.image VALUES (1, 9, '\x682e706e67', '\x7c687e56aeb794372c33870320c4d03c876e05b140da3a3b036e9da2321111ee', 'gone', '', 12, 12, '2026-11-16 21:44:27.911329+00');
INSERT INTO public.image VALUES (1, 12, '\x746f726e2e706e67', '\xbf2fb6b7cc985093e7d4e50ab493d2b9425fc6eaba6277cbd2f0c202242360ac', 'unreadable', 'cut off', 5, 4, '2026-11-16 21:44:28.077637+00');
INSERT INTO public.invite VALUES (1, 'c2bb9a78f286e067', 'bob', '2026-11-16 21:44:28+00', '2026-12-16 21:44:28+00', NULL);
INSERT INTO public.project VALUES (1, 'd02ca8b33ef12a8a', 'team', '2026-11-16 21:44:26.946954+00', '{"n_clusters":3,"seed":7,"strategy":"random"}');
SELECT pg_catalog.setval('public.annotator_id_seq', 5, true);
SELECT pg_catalog.setval('public.project_id_seq', 1, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.annotator
    ADD CONSTRAINT pk_annotator PRIMARY KEY (id);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT pk_event PRIMARY KEY (project_id, seq);
ALTER TABLE ONLY public.image
    ADD CONSTRAINT pk_image PRIMARY KEY (project_id, "position");
ALTER TABLE ONLY public.invite
    ADD CONSTRAINT pk_invite PRIMARY KEY (project_id, uid);
ALTER TABLE ONLY public.project
    ADD CONSTRAINT pk_project PRIMARY KEY (id);
ALTER TABLE ONLY public.secret
    ADD CONSTRAINT pk_secret PRIMARY KEY (project_id, name);
ALTER TABLE ONLY public.annotator
    ADD CONSTRAINT uq_annotator_project_id_name UNIQUE (project_id, name);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT uq_event_project_id_key UNIQUE (project_id, key);
ALTER TABLE ONLY public.image
    ADD CONSTRAINT uq_image_project_id_path_digest UNIQUE (project_id, path_digest);
ALTER TABLE ONLY public.project
    ADD CONSTRAINT uq_project_name UNIQUE (name);
ALTER TABLE ONLY public.project
    ADD CONSTRAINT uq_project_uid UNIQUE (uid);
CREATE TRIGGER event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.event FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_event_change();
ALTER TABLE ONLY public.annotator
    ADD CONSTRAINT fk_annotator_project_id FOREIGN KEY (project_id) REFERENCES public.project(id);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT fk_event_annotator_id FOREIGN KEY (annotator_id) REFERENCES public.annotator(id);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT fk_event_project_id FOREIGN KEY (project_id) REFERENCES public.project(id);
ALTER TABLE ONLY public.image
    ADD CONSTRAINT fk_image_project_id FOREIGN KEY (project_id) REFERENCES public.project(id);
ALTER TABLE ONLY public.invite
    ADD CONSTRAINT fk_invite_project_id FOREIGN KEY (project_id) REFERENCES public.project(id);
ALTER TABLE ONLY public.secret
    ADD CONSTRAINT fk_secret_project_id FOREIGN KEY (project_id) REFERENCES public.project(id);

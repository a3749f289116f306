// SPDX-License-Identifier: Apache-2.0

import BackendValues
import PostgreSQL

/// The tables, and what is done to them in one step. A released step is never changed: processes of several versions
/// may use one database at the same time, so that a function that does something else gets another name.
///
/// Times are milliseconds since 1970, said by the process that asks. What is UNLOGGED goes to no disk and to no
/// standby; the server empties it when it was killed.
enum PostgreSQLSchema {
    static let migrations = [
        Migration("durable", durable), Migration("ledger", ledger), Migration("volatile", volatile),
        Migration("server secret", serverSecret), Migration("round trips", roundTrips),
        Migration("what operators look at", PostgreSQLDurable.whatOperatorsLookAt),
        Migration("owners of claims", ownersOfClaims),
        Migration("wrong PINs of thirty days", PostgreSQLLedger.wrongPINsOfThirtyDays),
        Migration("applications", PostgreSQLDurable.applicationTable),
        Migration("mailed links", PostgreSQLDurable.mailedLinkTable),
        Migration("personal cards", PostgreSQLDurable.cardTable),
    ]

    private static let durable = """
        CREATE TABLE identity (
            mpin_id bytea PRIMARY KEY, user_id text COLLATE "C" NOT NULL, registered bigint NOT NULL,
            public_key bytea, next_public_key bytea, replaces bytea, needs_renewal boolean NOT NULL,
            failures bigint NOT NULL, last_failure bigint, begun_forgotten bigint, verdicts bigint NOT NULL
        ) WITH (fillfactor = 80);
        CREATE INDEX identity_by_user ON identity (user_id, registered, mpin_id);
        CREATE INDEX identity_by_replaced ON identity (replaces) WHERE replaces IS NOT NULL;
        CREATE TABLE registration (
            mpin_id bytea PRIMARY KEY, user_id text COLLATE "C" NOT NULL, mobile bigint NOT NULL,
            reg_ott_digest bytea NOT NULL, activate_key_digest bytea NOT NULL, active boolean NOT NULL,
            expires bigint NOT NULL
        );
        CREATE INDEX registration_by_expiry ON registration (expires);
        CREATE TABLE revocation (mpin_id bytea PRIMARY KEY, revoked bigint NOT NULL);

        -- Rows of two transactions at the same moment are counted together, one after the other.
        CREATE FUNCTION add_registration(
            an_id bytea, a_user text, a_mobile bigint, an_ott bytea, a_key bytea, is_active boolean, an_end bigint,
            capacity bigint, at bigint
        ) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM registration WHERE mpin_id IN (
                SELECT mpin_id FROM registration WHERE expires <= at AND (mpin_id <> an_id) LIMIT 1000
                FOR UPDATE SKIP LOCKED);
            DELETE FROM registration WHERE mpin_id = an_id AND expires <= at;
            PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' registration', 0));
            IF (SELECT count(*) FROM registration WHERE expires > at) >= capacity THEN RETURN false; END IF;
            INSERT INTO registration VALUES (an_id, a_user, a_mobile, an_ott, a_key, is_active, an_end);
            RETURN true;
        END $$;

        -- Of a key that is expected and proved, and of the identity that this one was made for.
        CREATE FUNCTION settle_key(proved_id bytea, proved bytea) RETURNS SETOF identity LANGUAGE plpgsql AS $$
        DECLARE
            known identity;
        BEGIN
            SELECT * INTO known FROM identity WHERE mpin_id = proved_id FOR UPDATE;
            IF NOT FOUND OR (
                proved IS DISTINCT FROM known.public_key AND proved IS DISTINCT FROM known.next_public_key
            ) THEN RETURN; END IF;
            DELETE FROM identity WHERE mpin_id = known.replaces;
            IF proved IS NOT NULL AND proved IS NOT DISTINCT FROM known.next_public_key THEN
                UPDATE identity SET public_key = proved, next_public_key = NULL, needs_renewal = false
                    WHERE mpin_id = proved_id;
            END IF;
            RETURN QUERY UPDATE identity SET replaces = NULL WHERE mpin_id = proved_id RETURNING *;
        END $$;
        """

    private static let ledger = """
        CREATE UNLOGGED TABLE begun (mpin_id bytea PRIMARY KEY, forgotten bigint NOT NULL) WITH (fillfactor = 70);
        CREATE UNLOGGED TABLE judging (mpin_id bytea PRIMARY KEY, claim bigint NOT NULL, ends bigint NOT NULL)
            WITH (fillfactor = 70);

        -- Writes what a rule made of `expected` (NULL: none is begun) if that is still so, and says else what is so.
        -- The rows are always taken in this order: begun, identity, judging.
        CREATE FUNCTION begin_login(
            an_id bytea, expected bigint, an_end bigint, is_kept boolean, at bigint,
            OUT is_done boolean, OUT present bigint
        ) LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM set_config('synchronous_commit', 'off', true);
            IF expected IS NULL THEN
                INSERT INTO begun VALUES (an_id, an_end)
                    ON CONFLICT (mpin_id) DO UPDATE SET forgotten = an_end WHERE begun.forgotten <= at;
            ELSE
                UPDATE begun SET forgotten = an_end WHERE mpin_id = an_id AND forgotten = expected;
            END IF;
            is_done := FOUND;
            IF NOT is_done THEN
                present := (SELECT forgotten FROM begun WHERE mpin_id = an_id AND forgotten > at);
            ELSIF is_kept THEN
                UPDATE identity SET begun_forgotten = an_end WHERE mpin_id = an_id;
            END IF;
        END $$;

        CREATE FUNCTION claim_identity(an_id bytea, a_claim bigint, an_end bigint, at bigint)
        RETURNS TABLE (is_free boolean, known identity) LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO judging AS present VALUES (an_id, a_claim, an_end)
                ON CONFLICT (mpin_id) DO UPDATE SET claim = a_claim, ends = an_end WHERE present.ends <= at;
            is_free := FOUND;
            -- As the one who had the claim before has left it.
            IF is_free THEN SELECT * INTO known FROM identity WHERE mpin_id = an_id; END IF;
            RETURN NEXT;
        END $$;

        CREATE FUNCTION settle_login(
            an_id bytea, a_claim bigint, is_right boolean, is_forgiving boolean, wrong bigint, at bigint,
            taken_back bigint, maximum bigint
        ) RETURNS SETOF identity LANGUAGE plpgsql AS $$
        BEGIN
            -- A device does not wait for the disk to hear of a right PIN.
            IF is_right THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
            IF is_forgiving THEN DELETE FROM begun WHERE mpin_id = an_id;
            ELSE UPDATE begun SET forgotten = forgotten + taken_back WHERE mpin_id = an_id; END IF;
            RETURN QUERY UPDATE identity SET verdicts = verdicts + 1,
                failures = CASE WHEN is_forgiving THEN 0 ELSE failures + wrong END,
                last_failure = CASE WHEN is_forgiving THEN NULL WHEN wrong > 0 THEN at ELSE last_failure END,
                begun_forgotten = CASE WHEN is_forgiving THEN NULL ELSE begun_forgotten + taken_back END
                WHERE mpin_id = an_id AND failures < maximum RETURNING *;
            DELETE FROM judging WHERE mpin_id = an_id AND claim = a_claim;
        END $$;
        """

    /// There is one row at most.
    private static let serverSecret = """
        CREATE TABLE server_secret (single boolean PRIMARY KEY DEFAULT true CHECK (single), digest bytea NOT NULL);
        """

    /// One function for each request of a login. What must be fails the whole transaction when it is not possible.
    private static let roundTrips = """
        -- Of a login that waits to be judged: whose it is, and the key of the browser's session.
        ALTER TABLE entry ADD COLUMN subject bytea, ADD COLUMN session bytea;
        CREATE INDEX judging_by_claim ON judging (claim);

        -- Pass 1: looks whether the identity may begin, counts that, and keeps what was brought. Without a known
        -- identity there is no such one; without a new end it may not begin, for what the columns beside say.
        CREATE FUNCTION begin_with_pass(
            an_id bytea, a_public_key bytea, must_be_good boolean, maximum bigint, forgetting bigint, most bigint,
            kept bigint, a_place text, a_key bytea, a_value bytea, an_end bigint, a_version bigint, capacity bigint,
            at bigint, OUT known identity, OUT is_revoked boolean, OUT new_end bigint, OUT wait bigint
        ) LANGUAGE plpgsql AS $$
        DECLARE
            latest bigint := at + forgetting * most;
            present bigint;
            before bigint;
        BEGIN
            SELECT * INTO known FROM identity WHERE mpin_id = an_id;
            IF NOT FOUND THEN RETURN; END IF;
            is_revoked := EXISTS (SELECT FROM revocation WHERE mpin_id = an_id);
            IF a_public_key IS DISTINCT FROM known.public_key
                    AND (a_public_key IS NULL OR a_public_key IS DISTINCT FROM known.next_public_key)
                OR must_be_good AND (is_revoked OR known.failures >= maximum) THEN RETURN; END IF;
            PERFORM set_config('synchronous_commit', 'off', true);
            LOOP
                INSERT INTO begun VALUES (an_id, at) ON CONFLICT (mpin_id) DO NOTHING;
                SELECT forgotten INTO present FROM begun WHERE mpin_id = an_id FOR UPDATE;
                EXIT WHEN FOUND;
            END LOOP;
            IF present <= at THEN
                present := (SELECT begun_forgotten FROM identity WHERE mpin_id = an_id);
            END IF;
            -- A clock that was set back must not turn minutes into hours.
            before := least(greatest(coalesce(present, at), at), latest);
            new_end := before + forgetting;
            IF new_end > latest THEN
                wait := new_end - latest;
                new_end := before;
            END IF;
            UPDATE begun SET forgotten = new_end WHERE mpin_id = an_id;
            IF new_end > at + kept AND new_end IS DISTINCT FROM present THEN
                UPDATE identity SET begun_forgotten = new_end WHERE mpin_id = an_id;
            END IF;
            IF wait IS NULL THEN
                PERFORM insert_entry(a_place, a_key, a_value, an_end, a_version, capacity, at);
            END IF;
        END $$;

        -- Pass 2: what pass 1 has left goes, and stands with `a_value` in a list of two elsewhere. Values are lists.
        CREATE FUNCTION answer_pass(
            an_id bytea, a_place text, a_key bytea, new_place text, new_key bytea, a_value bytea, an_end bigint,
            a_session bytea, a_version bigint, capacity bigint, at bigint
        ) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
            taken bytea;
            its_end bigint;
        BEGIN
            DELETE FROM entry WHERE place = a_place AND key = a_key RETURNING value, expires INTO taken, its_end;
            IF NOT FOUND OR its_end <= at THEN RETURN false; END IF;
            PERFORM insert_entry(
                new_place, new_key,
                '['::bytea || substr(taken, 1, length(taken) - 1) || ','::bytea || substr(a_value, 2) || ']'::bytea,
                an_end, a_version, capacity, at);
            UPDATE entry SET subject = an_id, session = a_session WHERE place = new_place AND key = new_key;
            RETURN true;
        END $$;

        -- The last request: takes the login, and its identity for judging; and says how the browser's session is. A
        -- login whose identity is busy stays, until `new_end`. 0: there is none, 1: busy, 2: taken.
        CREATE FUNCTION claim_login(
            a_place text, a_key bytea, is_plain boolean, session_place text, a_claim bigint, claim_end bigint,
            new_end bigint, at bigint, OUT outcome bigint, OUT login bytea, OUT session_value bytea,
            OUT session_end bigint, OUT session_owner text, OUT session_version bigint, OUT is_revoked boolean,
            OUT known identity
        ) LANGUAGE plpgsql AS $$
        DECLARE
            its_subject bytea;
            its_session bytea;
        BEGIN
            outcome := 0;
            SELECT value, subject, session INTO login, its_subject, its_session FROM entry
                WHERE place = a_place AND key = a_key AND expires > at FOR UPDATE;
            IF NOT FOUND OR is_plain AND its_session IS NOT NULL THEN RETURN; END IF;
            INSERT INTO judging AS present VALUES (its_subject, a_claim, claim_end)
                ON CONFLICT (mpin_id) DO UPDATE SET claim = a_claim, ends = claim_end WHERE present.ends <= at;
            IF NOT FOUND THEN
                outcome := 1;
                UPDATE entry SET expires = new_end WHERE place = a_place AND key = a_key;
                RETURN;
            END IF;
            outcome := 2;
            DELETE FROM entry WHERE place = a_place AND key = a_key;
            -- As the one who had the claim before has left it.
            SELECT * INTO known FROM identity WHERE mpin_id = its_subject;
            is_revoked := EXISTS (SELECT FROM revocation WHERE mpin_id = its_subject);
            SELECT value, expires, owner, version INTO session_value, session_end, session_owner, session_version
                FROM entry WHERE place = session_place AND key = its_session AND expires > at;
        END $$;

        CREATE FUNCTION settle_turn(
            an_id bytea, a_claim bigint, is_right boolean, is_forgiving boolean, wrong bigint, at bigint,
            taken_back bigint, maximum bigint, must_count boolean, must_be_good boolean,
            OUT is_revoked boolean, OUT known identity
        ) LANGUAGE plpgsql AS $$
        BEGIN
            SELECT * INTO known
                FROM settle_login(an_id, a_claim, is_right, is_forgiving, wrong, at, taken_back, maximum);
            is_revoked := EXISTS (SELECT FROM revocation WHERE mpin_id = an_id);
            IF must_count AND known.mpin_id IS NULL OR must_be_good AND is_revoked THEN PERFORM give_up(); END IF;
        END $$;

        -- As before; but to count what a fleet has under way costs more than an entry, so that of a large place one of
        -- some entries that come in looks, and lets the oldest go for all of them.
        CREATE OR REPLACE FUNCTION make_room(a_place text, needed bigint, capacity bigint, at bigint)
        RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
            small CONSTANT bigint := 8192;
            excess bigint;
        BEGIN
            IF capacity > small AND random() * capacity > small THEN RETURN true; END IF;
            excess := (SELECT count(*) FROM entry WHERE place = a_place AND expires > at) + needed - capacity;
            IF excess <= 0 THEN RETURN true; END IF;
            IF (SELECT count(*) FROM entry WHERE place = a_place AND owner IS NULL AND expires > at) < excess THEN
                RETURN false;
            END IF;
            DELETE FROM entry WHERE place = a_place AND key IN (
                SELECT key FROM entry WHERE place = a_place AND owner IS NULL AND expires > at
                ORDER BY number LIMIT excess FOR UPDATE SKIP LOCKED);
            RETURN true;
        END $$;

        CREATE FUNCTION give_up() RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'not as it was expected' USING ERRCODE = '\(PostgreSQLStep.sqlState)';
        END $$;

        CREATE FUNCTION must_change(
            a_place text, a_key bytea, expected bigint, a_value bytea, an_end bigint, loses_owner boolean,
            a_version bigint, capacity bigint, at bigint
        ) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF NOT (SELECT is_done FROM change_entry(
                a_place, a_key, expected, a_value, an_end, loses_owner, a_version, capacity, at)
            ) THEN PERFORM give_up(); END IF;
        END $$;

        CREATE FUNCTION must_insert(
            a_place text, a_key bytea, a_value bytea, an_end bigint, an_owner text, a_version bigint, capacity bigint,
            of_newcomers bigint, of_owner bigint, at bigint
        ) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF (SELECT outcome FROM insert_owned_entry(
                a_place, a_key, a_value, an_end, an_owner, a_version, capacity, of_newcomers, of_owner, at)
            ) <> 1 THEN PERFORM give_up(); END IF;
        END $$;

        CREATE FUNCTION must_not_be_revoked(an_id bytea) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM revocation WHERE mpin_id = an_id) THEN PERFORM give_up(); END IF;
        END $$;
        """

    /// A claim names its process by the advisory lock that PostgreSQL lets go of when that process is gone.
    private static let ownersOfClaims = """
        ALTER TABLE judging ADD COLUMN owner bigint;

        -- Whether nothing holds a claim any more: it has ended, or its process is gone. Shared, so that several who
        -- come after the same process are not in each other's way.
        CREATE FUNCTION is_abandoned(an_owner bigint, an_end bigint, at bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
            IF an_end <= at THEN RETURN true; END IF;
            RETURN coalesce(pg_try_advisory_xact_lock_shared(an_owner), false);
        END $$;

        -- As claim_identity and claim_login; NULL is the owner of a process that cannot say whether it is there.
        CREATE FUNCTION take_identity(an_id bytea, a_claim bigint, an_end bigint, at bigint, an_owner bigint)
        RETURNS TABLE (is_free boolean, known identity) LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO judging AS present VALUES (an_id, a_claim, an_end, an_owner)
                ON CONFLICT (mpin_id) DO UPDATE SET claim = a_claim, ends = an_end, owner = an_owner
                    WHERE is_abandoned(present.owner, present.ends, at);
            is_free := FOUND;
            IF is_free THEN SELECT * INTO known FROM identity WHERE mpin_id = an_id; END IF;
            RETURN NEXT;
        END $$;

        CREATE FUNCTION take_login(
            a_place text, a_key bytea, is_plain boolean, session_place text, a_claim bigint, claim_end bigint,
            new_end bigint, at bigint, an_owner bigint, OUT outcome bigint, OUT login bytea, OUT session_value bytea,
            OUT session_end bigint, OUT session_owner text, OUT session_version bigint, OUT is_revoked boolean,
            OUT known identity
        ) LANGUAGE plpgsql AS $$
        DECLARE
            its_subject bytea;
            its_session bytea;
            taken record;
        BEGIN
            outcome := 0;
            SELECT value, subject, session INTO login, its_subject, its_session FROM entry
                WHERE place = a_place AND key = a_key AND expires > at FOR UPDATE;
            IF NOT FOUND OR is_plain AND its_session IS NOT NULL THEN RETURN; END IF;
            SELECT * INTO taken FROM take_identity(its_subject, a_claim, claim_end, at, an_owner);
            IF NOT taken.is_free THEN
                outcome := 1;
                UPDATE entry SET expires = new_end WHERE place = a_place AND key = a_key;
                RETURN;
            END IF;
            outcome := 2;
            DELETE FROM entry WHERE place = a_place AND key = a_key;
            known := taken.known;
            is_revoked := EXISTS (SELECT FROM revocation WHERE mpin_id = its_subject);
            SELECT value, expires, owner, version INTO session_value, session_end, session_owner, session_version
                FROM entry WHERE place = session_place AND key = its_session AND expires > at;
        END $$;

        -- Processes of before leave no owner of another's claim behind.
        CREATE OR REPLACE FUNCTION claim_identity(an_id bytea, a_claim bigint, an_end bigint, at bigint)
        RETURNS TABLE (is_free boolean, known identity) LANGUAGE sql AS $$
            SELECT * FROM take_identity(an_id, a_claim, an_end, at, NULL)
        $$;
        CREATE OR REPLACE FUNCTION claim_login(
            a_place text, a_key bytea, is_plain boolean, session_place text, a_claim bigint, claim_end bigint,
            new_end bigint, at bigint, OUT outcome bigint, OUT login bytea, OUT session_value bytea,
            OUT session_end bigint, OUT session_owner text, OUT session_version bigint, OUT is_revoked boolean,
            OUT known identity
        ) LANGUAGE sql AS $$
            SELECT * FROM take_login(
                a_place, a_key, is_plain, session_place, a_claim, claim_end, new_end, at, NULL)
        $$;

        -- A login that was taken and not spent waits to be taken again.
        CREATE FUNCTION keep_login(
            an_id bytea, a_place text, a_key bytea, a_value bytea, an_end bigint, a_session bytea, a_version bigint,
            capacity bigint, at bigint
        ) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM insert_entry(a_place, a_key, a_value, an_end, a_version, capacity, at);
            UPDATE entry SET subject = an_id, session = a_session WHERE place = a_place AND key = a_key;
        END $$;

        -- As settle_turn. But of a claim that another process has taken over there is no right verdict: that one looks
        -- at a PIN now. A wrong one counts in any case. The one that takes over waits for this transaction, or this
        -- one sees what it has done.
        CREATE FUNCTION end_turn(
            an_id bytea, a_claim bigint, is_right boolean, is_forgiving boolean, wrong bigint, at bigint,
            taken_back bigint, maximum bigint, must_count boolean, must_be_good boolean,
            OUT is_revoked boolean, OUT known identity
        ) LANGUAGE plpgsql AS $$
        DECLARE
            ended record;
        BEGIN
            SELECT * INTO ended FROM settle_turn(
                an_id, a_claim, is_right, is_forgiving, wrong, at, taken_back, maximum, must_count, must_be_good);
            is_revoked := ended.is_revoked;
            known := ended.known;
            IF is_right AND EXISTS (SELECT FROM judging WHERE mpin_id = an_id AND ends > at) THEN
                RAISE EXCEPTION 'another process judges the identity now' USING ERRCODE = 'LK002';
            END IF;
        END $$;
        """

    /// Owners are texts: `n` and an address, `p` and a user id.
    private static let volatile = """
        CREATE UNLOGGED TABLE entry (
            place text COLLATE "C" NOT NULL, key bytea NOT NULL, value bytea NOT NULL, expires bigint NOT NULL,
            owner text COLLATE "C", number bigint NOT NULL, version bigint NOT NULL, PRIMARY KEY (place, key)
        ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
        CREATE INDEX entry_by_expiry ON entry (expires);
        CREATE INDEX entry_by_owner ON entry (place, owner, number);

        -- The order of age, of all processes.
        CREATE FUNCTION next_number() RETURNS bigint LANGUAGE sql VOLATILE AS $$
            SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        $$;

        -- Lets the oldest entries without an owner go. If there are too few, all stay, and the answer is false.
        CREATE FUNCTION make_room(a_place text, needed bigint, capacity bigint, at bigint)
        RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
            excess bigint := (SELECT count(*) FROM entry WHERE place = a_place AND expires > at) + needed - capacity;
        BEGIN
            IF excess <= 0 THEN RETURN true; END IF;
            IF (SELECT count(*) FROM entry WHERE place = a_place AND owner IS NULL AND expires > at) < excess THEN
                RETURN false;
            END IF;
            DELETE FROM entry WHERE place = a_place AND key IN (
                SELECT key FROM entry WHERE place = a_place AND owner IS NULL AND expires > at
                ORDER BY number LIMIT excess FOR UPDATE SKIP LOCKED);
            RETURN true;
        END $$;

        CREATE FUNCTION insert_entry(
            a_place text, a_key bytea, a_value bytea, an_end bigint, a_version bigint, capacity bigint, at bigint
        ) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM make_room(
                a_place, CASE WHEN EXISTS (
                    SELECT FROM entry WHERE place = a_place AND key = a_key AND expires > at) THEN 0 ELSE 1 END,
                capacity, at);
            INSERT INTO entry VALUES (a_place, a_key, a_value, an_end, NULL, next_number(), a_version)
                ON CONFLICT (place, key) DO UPDATE SET value = EXCLUDED.value, expires = EXCLUDED.expires,
                    owner = NULL, number = EXCLUDED.number, version = EXCLUDED.version;
        END $$;

        -- 0: in the place of another one, 1: there was none, 2: the newcomer's address has too many, 3: there is no
        -- room. With 2 and 3, when the next one expires.
        CREATE FUNCTION insert_owned_entry(
            a_place text, a_key bytea, a_value bytea, an_end bigint, an_owner text, a_version bigint, capacity bigint,
            of_newcomers bigint, of_owner bigint, at bigint, OUT outcome bigint, OUT next_end bigint
        ) LANGUAGE plpgsql AS $$
        DECLARE
            is_newcomer boolean := left(an_owner, 1) = 'n';
            known entry;
            present bigint;
        BEGIN
            -- Of one owner one after the other: so each bound is met exactly.
            PERFORM pg_advisory_xact_lock(
                hashtextextended(concat_ws(' ', current_schema(), a_place, an_owner), 0));
            LOOP
                SELECT * INTO known FROM entry WHERE place = a_place AND key = a_key AND expires > at;
                IF known.owner IS DISTINCT FROM an_owner THEN
                    present := (
                        SELECT count(*) FROM entry WHERE place = a_place AND owner = an_owner AND expires > at);
                    IF is_newcomer AND present >= of_owner THEN
                        outcome := 2;
                        next_end := (
                            SELECT min(expires) FROM entry
                            WHERE place = a_place AND owner = an_owner AND expires > at);
                        RETURN;
                    END IF;
                    IF NOT is_newcomer AND present >= of_owner THEN
                        DELETE FROM entry WHERE place = a_place AND key IN (
                            SELECT key FROM entry WHERE place = a_place AND owner = an_owner AND expires > at
                            ORDER BY number LIMIT present - of_owner + 1);
                    END IF;
                    IF is_newcomer AND (
                        SELECT count(*) FROM entry
                        WHERE place = a_place AND owner >= 'n' AND owner < 'o' AND expires > at
                    ) >= of_newcomers OR NOT make_room(
                        a_place, CASE WHEN known.place IS NULL THEN 1 ELSE 0 END, capacity, at
                    ) THEN
                        outcome := 3;
                        next_end := (SELECT min(expires) FROM entry WHERE place = a_place AND expires > at);
                        RETURN;
                    END IF;
                END IF;
                INSERT INTO entry VALUES (a_place, a_key, a_value, an_end, an_owner, next_number(), a_version)
                    ON CONFLICT (place, key) DO UPDATE SET value = EXCLUDED.value, expires = EXCLUDED.expires,
                        owner = EXCLUDED.owner, number = EXCLUDED.number, version = EXCLUDED.version
                    WHERE entry.expires <= at OR entry.version = known.version;
                IF FOUND THEN
                    outcome := CASE WHEN known.place IS NULL THEN 1 ELSE 0 END;
                    RETURN;
                END IF;
            END LOOP;
        END $$;

        -- Writes what was made of the entry with the version `expected` (NULL: of none), or deletes it (`a_value` is
        -- NULL), if that one is still there, and says else what is.
        CREATE FUNCTION change_entry(
            a_place text, a_key bytea, expected bigint, a_value bytea, an_end bigint, loses_owner boolean,
            a_version bigint, capacity bigint, at bigint, OUT is_done boolean, OUT present entry
        ) LANGUAGE plpgsql AS $$
        BEGIN
            is_done := false;
            IF expected IS NULL THEN
                -- None goes for one that stays out.
                IF NOT EXISTS (SELECT FROM entry WHERE place = a_place AND key = a_key AND expires > at) THEN
                    PERFORM make_room(a_place, 1, capacity, at);
                    INSERT INTO entry VALUES (a_place, a_key, a_value, an_end, NULL, next_number(), a_version)
                        ON CONFLICT (place, key) DO UPDATE SET value = EXCLUDED.value, expires = EXCLUDED.expires,
                            owner = NULL, number = EXCLUDED.number, version = EXCLUDED.version
                        WHERE entry.expires <= at;
                    is_done := FOUND;
                END IF;
            ELSIF a_value IS NULL THEN
                DELETE FROM entry WHERE place = a_place AND key = a_key AND version = expected;
                is_done := FOUND;
            ELSE
                UPDATE entry SET value = a_value, expires = an_end, version = a_version,
                    owner = CASE WHEN loses_owner THEN NULL ELSE owner END,
                    number = CASE WHEN loses_owner THEN next_number() ELSE number END
                    WHERE place = a_place AND key = a_key AND version = expected;
                is_done := FOUND;
            END IF;
            IF NOT is_done THEN
                SELECT * INTO present FROM entry WHERE place = a_place AND key = a_key AND expires > at;
            END IF;
        END $$;

        -- Rows that another process is at are left to that one. A clock that is wrong clears nothing away that others
        -- still have. The answer is whether there may be more.
        CREATE FUNCTION sweep(at bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
            most CONSTANT bigint := 10000;
            past CONSTANT bigint := least(at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
            gone bigint;
        BEGIN
            DELETE FROM begun WHERE mpin_id IN (
                SELECT mpin_id FROM begun WHERE forgotten <= past LIMIT most FOR UPDATE SKIP LOCKED);
            DELETE FROM judging WHERE mpin_id IN (
                SELECT mpin_id FROM judging WHERE ends <= past LIMIT most FOR UPDATE SKIP LOCKED);
            DELETE FROM entry WHERE (place, key) IN (
                SELECT place, key FROM entry WHERE expires <= past LIMIT most FOR UPDATE SKIP LOCKED);
            GET DIAGNOSTICS gone = ROW_COUNT;
            RETURN gone = most;
        END $$;
        """
}

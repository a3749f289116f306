// SPDX-License-Identifier: Apache-2.0

/// The wrong PINs of thirty days in PostgreSQL, which appends what it is told. ``RecentFailures`` has the rule.
extension PostgreSQLLedger {
    static let wrongPINsOfThirtyDays = """
        ALTER TABLE identity ADD COLUMN recent_failures bytea NOT NULL DEFAULT '';

        -- As end_turn, which has the rows by then.
        CREATE FUNCTION end_login(
            an_id bytea, a_claim bigint, is_right boolean, is_forgiving boolean, wrong bigint, at bigint,
            taken_back bigint, maximum bigint, must_count boolean, must_be_good boolean, recent bytea,
            must_renew boolean, OUT is_revoked boolean, OUT known identity
        ) LANGUAGE plpgsql AS $$
        DECLARE
            ended record;
        BEGIN
            SELECT * INTO ended FROM end_turn(
                an_id, a_claim, is_right, is_forgiving, wrong, at, taken_back, maximum, must_count, must_be_good);
            is_revoked := ended.is_revoked;
            known := ended.known;
            IF known.mpin_id IS NOT NULL AND (recent <> '' OR must_renew) THEN
                UPDATE identity SET needs_renewal = needs_renewal OR must_renew,
                    recent_failures = substring(
                        recent_failures || recent FROM greatest(
                            octet_length(recent_failures || recent) - \(RecentFailures.capacity * RecentFailures.length),
                            0) + 1)
                    WHERE mpin_id = an_id RETURNING * INTO known;
            END IF;
        END $$;

        -- As before; and copies of an old key are no danger any more.
        CREATE OR REPLACE FUNCTION settle_key(proved_id bytea, proved bytea) RETURNS SETOF identity LANGUAGE plpgsql AS $$
        DECLARE
            known identity;
        BEGIN
            SELECT * INTO known FROM identity WHERE mpin_id = proved_id FOR UPDATE;
            IF NOT FOUND OR (
                proved IS DISTINCT FROM known.public_key AND proved IS DISTINCT FROM known.next_public_key
            ) THEN RETURN; END IF;
            DELETE FROM identity WHERE mpin_id = known.replaces;
            IF proved IS NOT NULL AND proved IS NOT DISTINCT FROM known.next_public_key THEN
                UPDATE identity SET public_key = proved, next_public_key = NULL, needs_renewal = false,
                    recent_failures = '' WHERE mpin_id = proved_id;
            END IF;
            RETURN QUERY UPDATE identity SET replaces = NULL WHERE mpin_id = proved_id RETURNING *;
        END $$;
        """
}

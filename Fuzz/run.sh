#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the fuzz targets, one after the other, each from its corpus.
#
#   run.sh PROGRAM RESULTS LIMIT [TARGET...]
#
# PROGRAM is the built `fuzz`. LIMIT is an option of libFuzzer, such as -max_total_time=10 or -runs=1000000. RESULTS gets
# the corpus as it grew, the log of each target, and the inputs that ended one. Exit code 1 when one did.
set -u
[ $# -ge 3 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$1 results=$2 limit=$3
shift 3
# Without one the runtime would spend minutes on the symbols of a stack that the sanitizer prints.
export SWIFT_BACKTRACE=enable=no
[ $# -gt 0 ] || set -- $("$program" 2> /dev/null | sed -n 's/^targets: //p')
failed=
for target; do
    mkdir -p "$results/$target" "$results/faults"
    seeds=
    [ ! -d "$here/corpus/$target" ] || seeds=$here/corpus/$target
    [ "$target" != json ] || seeds=$here/../Tests/SDK/MPinClientTests/Recordings
    dictionary=$here/dictionaries/$target
    # shellcheck disable=SC2086
    "$program" "$target" "$results/$target" $seeds $limit -artifact_prefix="$results/faults/$target-" -timeout=20 \
        -rss_limit_mb=2048 -print_final_stats=1 $([ ! -f "$dictionary" ] || echo "-dict=$dictionary") \
        > "$results/$target.log" 2>&1 || failed="$failed $target"
    sed -n 's/^stat::number_of_executed_units: *//p;s/^stat::slowest_unit_time_sec: *//p' "$results/$target.log" |
        paste -sd ' ' | awk -v target="$target" '{ printf "%-14s %9d inputs, the slowest %d s\n", target, $1, $2 }'
done
[ -z "$failed" ] || { echo "faults:$failed (see $results)" >&2; grep -hE "broken:|Fatal error|ERROR:|SUMMARY" "$results"/*.log >&2; exit 1; }

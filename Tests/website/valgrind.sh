#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs this folder's story with kiosk and backend under Valgrind: a registration, a scan and a login. Fails if Valgrind
# reports an access outside of an object, after its end, or a second release. Uses of undefined bytes are not reported:
# Swift's runtime compares padding when it makes metadata, and the optimiser reads fields before it knows their case.
#
#   valgrind.sh PROGRAMS FOLDER         FOLDER gets Valgrind's reports
set -eu
[ $# = 2 ] || { sed -n '7p' "$0" | sed 's/^#  *//' >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
programs=$(cd "$1" && pwd)
rm -rf "$2" && mkdir -p "$2/stripped" "$2/reports"
folder=$(cd "$2" && pwd)
# The scanner, whose system calls are filtered, runs without.
cp "$programs/login-kiosk-scanner" "$folder/stripped/"
for program in login-kiosk login-kiosk-backend; do
    # Valgrind 3.19 gives up at the debug information.
    strip --strip-debug -o "$folder/stripped/$program" "$programs/$program"
    cat > "$folder/$program" <<EOF
#!/bin/sh
exec valgrind --quiet --undef-value-errors=no --log-file=$folder/reports/$program.%p $folder/stripped/$program "\$@"
EOF
    chmod 755 "$folder/$program"
done
/usr/bin/python3 -B "$here/run.py" "$folder"
count=$(find "$folder/reports" -type f | wc -l)
# Registration, activation, scan, login and the backend. Lines of errors begin with two equals signs, those of system calls that
# Valgrind 3.19 does not support with two hyphens.
[ "$count" -ge 6 ] || { echo "failed: only $count processes ran under Valgrind" >&2; exit 1; }
cat "$folder"/reports/* | grep '^==' > "$folder/errors" || true
[ ! -s "$folder/errors" ] || { cat "$folder/errors" >&2; echo "failed: errors in memory" >&2; exit 1; }
echo "valgrind: $count processes without an error"

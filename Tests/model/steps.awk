# SPDX-License-Identifier: Apache-2.0
# Prints the steps of a run in names: Spin numbers the names of an mtype from the last one, which is 1.
FNR == NR {
    if (/^mtype = {/) inside = 1
    else if (/^}/) inside = 0
    else if (inside) {
        sub(/\/\*.*\*\//, "")
        gsub(/[ \t]/, "")
        count = split($0, names, ",")
        for (i = 1; i <= count; i++) if (names[i] != "") order[++total] = names[i]
    }
    next
}
function name(number) { return order[total + 1 - number] }
/^STEP/ { print name($2), name($3), name($4) }

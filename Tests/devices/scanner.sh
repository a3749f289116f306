# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The scanner's process in the guest, confined as always, and what it says; after common.sh.

# The program starts its scanner with an empty environment.
echo /job/lib > /etc/ld.so.conf.d/job.conf
ldconfig
explain() { grep -v stats /tmp/said | tail -n 3; tail -n 1 /tmp/said; tail -n 3 /tmp/fakecam; }

uptime_ms() { tr -d . < /proc/uptime | sed 's/ .*/0/'; }

plug_camera() { # plug_camera CLIP FIFO PORT [options of fakecam]
    clip=$1 fifo=$2 port=$3
    shift 3
    fakecam --ctl "$fifo" --port "$port" "$@" "$clip" 2>> /tmp/fakecam &
    within 20 test -p "$fifo"
}

tell() { echo "$2" > "$1"; } # tell FIFO COMMAND

scan() { # scan SOURCE [ARGUMENT...]: starts the scanner; what it says goes to /tmp/said
    : > /tmp/said
    rm -f /tmp/commands /tmp/messages /tmp/scanner /tmp/known /tmp/taken
    mkfifo /tmp/commands /tmp/messages
    exec 3<> /tmp/commands
    perl ./messages.pl /tmp/known /tmp/taken < /tmp/messages >> /tmp/said &
    reader=$!
    parent "$@" &
    parent=$!
    within 10 test -s /tmp/scanner
    first=$(scanner)
}

parent() { # parent SOURCE [ARGUMENT...]: keeps a scanner, and starts it again when it asks for that
    source=$1
    shift
    exec 4> /tmp/messages
    : > /tmp/known
    while :; do
        if [ -s /tmp/known ]; then set -- --known "$(cat /tmp/known)"; fi
        ./login-kiosk-scanner --source "$source" "$@" < /tmp/commands > /tmp/messages 3<&- 4>&- &
        echo $! > /tmp/scanner
        wait $! 2> /dev/null
        [ $? = 75 ] || return 0
        sleep 0.5
    done
}

scanner() { cat /tmp/scanner; }

stop() {
    kill "$(scanner)" 2> /dev/null
    wait "$parent" 2> /dev/null
    wait "$reader"
    exec 3>&-
}

order() { printf '\001\000\000\000'"\\00$1" > /tmp/commands; } # order NUMBER: 2 pauses, 3 resumes

alive() { [ "$(scanner)" = "$first" ] && kill -0 "$first"; }
sees() { : > /tmp/said; within "${2:-20}" grep -q "symbol .*$1" /tmp/said; }
says() { within "${2:-20}" grep -q "$1" /tmp/said; }
frames() { sed -n 's/.*frames=\([0-9]*\) .*/\1/p' /tmp/said | tail -n 1; }
since() { # since MILLISECONDS TEXT: from then to the first line that says so
    sed -n "s/^\([0-9]*\) $2.*/\1/p" /tmp/said | awk -v start="$1" '$1 >= start { print $1 - start; exit }'
}
longest() { printf '%s\n' "$@" | sort -n | tail -n 1; }
gets_frames() { # more than now
    : > /tmp/said
    says stats || return 1
    before=$(frames)
    within 15 sh -c "[ \"\$(sed -n 's/.*frames=\([0-9]*\) .*/\1/p' /tmp/said | tail -n 1)\" -gt $before ]"
}
lets_go() { # of the device, whose number a new one would else not get
    ! ls -l "/proc/$(scanner)/fd" | grep -q "$1"
}
descriptors() { ls "/proc/$(scanner)/fd" | wc -l; }
reads() { # reads SOURCE TEXT: a scanner of its own reads it
    scan "$1"
    sees "$2"
    result=$?
    stop
    return $result
}
refuses() { # refuses SOURCE TEXT: the scanner ends, and says why
    scan "$1"
    says "health failed.*$2"
    result=$?
    stop
    return $result
}
passes_over() { # passes_over SOURCE TEXT: the scanner takes another size, and says why
    scan "$1"
    says "passed over.*$2" && gets_frames
    result=$?
    stop
    return $result
}
waits() { # waits SOURCE TEXT: the scanner goes on trying, and says why
    scan "$1"
    says "health waiting.*$2" && alive
    result=$?
    stop
    return $result
}
streams() { # streams SOURCE
    scan "$1"
    gets_frames
    result=$?
    stop
    return $result
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A login by QR code: a person, the kiosk, the server, browsers, and another device that reads the same codes.
 * docs/model.md describes what is checked, the bounds, and what is left out.
 *
 * Each event of the kiosk is printed as "STEP screen event screen". Run over all states, this gives the table of steps
 * in steps.txt, along which LoginModelTests walk with the kiosk's real machine.
 *
 * RULE=n leaves one rule out, to show that its check would notice. RULE=0 leaves none out.
 */

#ifndef RULE
#define RULE 0
#endif

#define CODES    2   /* one per browser */
#ifndef SESSIONS
#define SESSIONS 2
#endif
#define TRIES    2   /* wrong PINs until the server blocks the person */

mtype = {
    /* screens */
    scan, service, backend, consent, starting, pin, proving, pause, outcome,
    /* outcomes */
    none, loggedIn, declined, timedOut, unreachable, sessionExpired, blocked, outcomeUnknown,
    /* requests and their answers */
    readService, openBackend, startLogin, passOne, prove, abort,
    found, opened, ready, passedOne, accepted, wrongPIN, isBlocked, expired,
    /* states of a code at the server */
    fresh, used, dead,
    /* events of the kiosk */
    see, seeUsed, seeAnother, ok, no, cancel, pinRight, pinWrong, outcomeOver, pauseOver, timeOver, noAnswer, expiredLate
};

/* Requests: kind, session, code, whether the PIN is right. Answers: kind, session. */
chan toServer = [2] of { mtype, byte, byte, bool };
chan toKiosk  = [2] of { mtype, byte };
chan late     = [1] of { mtype, byte };   /* overtaken by others */

/* The server. */
mtype codes[CODES] = fresh;
byte usedBy[CODES];         /* the session that logged the browser in; 0 for none, OTHER for the other device */
byte logins[CODES];
byte wrong;                 /* wrong PINs of the person, counted before they are compared */
#define OTHER 255
#define NOTHING 254

/* The kiosk. */
mtype screen = scan;
byte session;               /* the newest, from 1 */
byte code;                  /* of the session */
bool remembered[CODES];     /* codes with which a login was tried */
bool isConsented;
byte consentedFor[SESSIONS + 1] = NOTHING; /* the code that the person agreed to */
bool sawAnother;
bool isRight;               /* whether the typed PIN is right */
bool mayHaveProved;         /* whether the request that logs in was sent */
byte pins;                  /* typed in this session */
byte proofs;                /* sent in this session */
byte outcomes[SESSIONS + 1];
mtype shown = none;         /* the outcome on the screen */

#define isWaiting (screen == service || screen == backend || screen == starting || screen == proving)

/* A full network loses what is sent. */
inline send(kind) {
    if
    :: nfull(toServer) -> toServer ! kind, session, code, isRight
    :: full(toServer) -> skip
    fi
}

inline note(event, next) {
    printf("STEP %d %d %d\n", screen, event, next)
}

inline reach(next, event) {
    note(event, next);
    screen = next
}

/* Ends the session. A login that was tried is remembered by its code. */
inline conclude(result, event, triedLogin) {
    outcomes[session]++;
    assert(outcomes[session] == 1);
    shown = result;
    if
    :: triedLogin && RULE != 3 -> remembered[code] = true
    :: else -> skip
    fi;
    if
    :: result == declined || result == timedOut || result == blocked -> send(abort)
    :: else -> skip
    fi;
    isConsented = false; isRight = false;
    note(event, result);
    screen = outcome;
    /* The screen is true. */
    if
    :: result == loggedIn -> assert(usedBy[code] == session)
    :: result != loggedIn && result != outcomeUnknown -> assert(usedBy[code] == 0 || usedBy[code] == OTHER)
    :: else -> skip
    fi
}

/* A code comes before the camera. */
inline look(seen) {
    if
    :: remembered[seen] -> note(seeUsed, screen)
    :: else ->
        session++;
        code = seen; sawAnother = false; pins = 0; proofs = 0; mayHaveProved = false; shown = none;
        reach(service, see);
        send(readService)
    fi
}

active proctype kiosk() {
    mtype answer;
    byte number;

    do
    /* The person, or a stranger with a code. */
    :: screen == scan && session < SESSIONS -> atomic { look(0) }
    :: screen == scan && session < SESSIONS -> atomic { look(1) }
    :: screen == scan && session == SESSIONS -> break
    :: screen != scan && screen != outcome && !sawAnother -> atomic {
        sawAnother = true;
        note(seeAnother, screen);
        if
        :: RULE == 4 -> code = 1 - code
        :: else -> skip
        fi }
    :: screen == consent -> atomic {
        isConsented = true; consentedFor[session] = code;
        reach(starting, ok); send(startLogin) }
    :: screen == consent -> atomic { conclude(declined, no, false) }
    :: RULE == 1 && screen == consent -> atomic { reach(starting, ok); send(startLogin) }
    :: (screen == service || screen == backend || screen == pin || screen == pause) ->
        atomic { conclude(declined, cancel, false) }
    :: screen == pin -> atomic {
        if
        :: isRight = true;  reach(proving, pinRight)
        :: isRight = false; reach(proving, pinWrong)
        fi;
        pins++; mayHaveProved = false;
        assert(isConsented && consentedFor[session] == code);
        send(passOne) }
    :: screen == outcome -> atomic {
        shown = none; reach(scan, outcomeOver) }

    /* Time. */
    :: screen == pause -> atomic { reach(pin, pauseOver) }
    :: RULE != 8 && (screen == consent || screen == pin || screen == pause || screen == service
        || screen == backend || screen == starting) ->
        atomic { conclude(timedOut, timeOver, false) }
    :: RULE != 8 && screen == proving -> atomic {
        if
        :: RULE == 2 -> conclude(timedOut, timeOver, true)
        :: else -> conclude(outcomeUnknown, timeOver, true)
        fi }

    /* The network gives up on a request. Its answer is not listened to any more. */
    :: RULE != 8 && isWaiting -> atomic {
        if
        :: screen == proving && mayHaveProved -> conclude(outcomeUnknown, noAnswer, true)
        :: screen == proving && !mayHaveProved -> conclude(unreachable, unreachable, false)
        :: else -> conclude(unreachable, unreachable, false)
        fi }

    /* Answers. One of an earlier session is ignored. */
    :: atomic {
        if
        :: toKiosk ? answer, number
        :: late ? answer, number
        fi;
        if
        :: number != session && RULE != 5 -> skip
        :: else ->
            if
            :: screen == service && answer == found -> reach(backend, found); send(openBackend)
            :: screen == backend && answer == opened -> reach(consent, opened)
            :: screen == backend && answer == expired -> conclude(sessionExpired, expired, false)
            :: screen == starting && answer == ready -> reach(pin, ready)
            /* The PIN's proof is sent once, whatever happens. */
            :: screen == proving && answer == passedOne && !mayHaveProved ->
                mayHaveProved = true; proofs++;
                assert(proofs <= pins);
                send(prove);
                if
                :: RULE == 6 -> send(prove)
                :: else -> skip
                fi
            :: screen == proving && mayHaveProved && answer == accepted -> conclude(loggedIn, accepted, true)
            :: screen == proving && mayHaveProved && answer == wrongPIN ->
                isRight = false; reach(pause, wrongPIN)
            :: screen == proving && mayHaveProved && answer == isBlocked -> conclude(blocked, isBlocked, true)
            :: screen == proving && mayHaveProved && answer == expired -> conclude(sessionExpired, expiredLate, true)
            :: else -> skip
            fi
        fi }
    od
}

/* Answers, or does what was asked and its answer is lost, or never gets the request. */
inline tell(kind) {
    if
    :: nfull(toKiosk) -> toKiosk ! kind, asker
    :: nfull(late) -> late ! kind, asker
    :: skip
    fi
}

active proctype server() {
    mtype kind;
    byte asker, about;
    bool right;

    end: do
    :: toServer ? kind, asker, about, right -> atomic {
        if
        :: skip /* lost */
        :: kind == readService -> tell(found)
        :: kind == openBackend ->
            if
            :: codes[about] == fresh -> tell(opened)
            :: else -> tell(expired)
            fi
        :: kind == startLogin -> tell(ready)
        :: kind == passOne -> tell(passedOne)
        :: kind == prove ->
            if
            :: codes[about] != fresh && RULE != 7 -> tell(expired)
            :: else ->
                if
                :: wrong >= TRIES -> tell(isBlocked)
                :: else ->
                    wrong++; /* counted before it is compared */
                    if
                    :: right ->
                        wrong = 0;
                        assert(consentedFor[asker] == about);
                        codes[about] = used; usedBy[about] = asker;
                        logins[about]++;
                        assert(logins[about] <= 1);
                        tell(accepted)
                    :: !right && wrong >= TRIES -> tell(isBlocked)
                    :: !right && wrong < TRIES -> tell(wrongPIN)
                    fi
                fi
            fi
        :: kind == abort ->
            if
            :: codes[about] == fresh -> codes[about] = dead
            :: else -> skip
            fi
        fi;
        kind = none; asker = 0; about = 0; right = false }
    :: atomic { codes[0] == fresh -> codes[0] = dead }
    :: atomic { codes[1] == fresh -> codes[1] = dead }
    /* Somebody's phone reads the code from the browser's screen. */
    :: atomic { codes[0] == fresh -> codes[0] = used; usedBy[0] = OTHER; logins[0]++ }
    od
}

/* Whatever happens, the kiosk comes back to the scan screen, until its last session is over. */
ltl comesBack { [] (screen != scan -> <> (screen == scan)) }
ltl noPINBeforeConsent { [] ((screen == pin || screen == proving) -> isConsented) }
ltl truth { [] ((shown == loggedIn -> usedBy[code] == session)
    && ((shown == declined || shown == timedOut || shown == unreachable || shown == sessionExpired || shown == blocked)
        -> (usedBy[code] == 0 || usedBy[code] == OTHER))) }

// SPDX-License-Identifier: Apache-2.0
// MIRACL's client-js, as a web page uses it: a person's whole life with one identity and two devices.
//
//   node client-js.mjs FACTS
//
// FACTS is a JSON document: `client` (the file to load), `version` (its major number), `dialect`, `project`,
// `relyingParty` (client id and secret), and what `Backend` takes.

import crypto from "node:crypto";
import { createRequire } from "node:module";
import { Backend, Checks, Memory, post, request, xmlHttpRequest } from "./surroundings.mjs";

const facts = JSON.parse(process.argv[2]);
const { version, dialect, project, relyingParty } = facts;
const backend = new Backend(facts);
const checks = new Checks();
const check = checks.check.bind(checks);

// A page of another web site than the backend's.
globalThis.XMLHttpRequest = xmlHttpRequest("https://shop.example/login");
const loaded = createRequire(import.meta.url)(facts.client);
const Client = loaded.default ?? loaded;

// The names of each version for the same things, and the differences in kind.
const NAMES = version === 5
    ? { push: "pushAuth", otp: "fetchOTP", authCode: "fetchAuthCode", registrationCode: "fetchRegistrationCode",
        sign: "signMessage", signingRegister: "registerDvs" }
    : { push: "sendPushNotificationForAuth", otp: "generateOTP", authCode: "generateAuthCode",
        registrationCode: "generateQuickCode", sign: "sign", signingRegister: "signingRegister" };
/** Registers only with a page's session, and signs with a second identity that has a PIN of its own. */
const isPlatformV2 = version < 7;
/** Tells what went wrong by name, and ends a login with a signed statement. */
const isToken = version >= 8;
/** 6 and 7 never seed their generator in Node, so a key that they make again is the one they had. */
const isSeeded = version === 5 || isToken;

const USER = `u${crypto.randomBytes(4).toString("hex")}@example.com`;
const PIN = "1234", OTHER_PIN = "4321", SIGNING_PIN = isPlatformV2 ? "5678" : PIN;
const HASH = crypto.createHash("sha256").update("a document").digest("hex");
const basic = (secret) =>
    ({ Authorization: "Basic " + Buffer.from(`${relyingParty.id}:${secret}`).toString("base64") });

function device(changes = {}) {
    return new Client({
        projectUrl: backend.url, server: backend.url, projectId: project, customerId: project,
        seed: crypto.randomBytes(32).toString("hex"), userStorage: new Memory(), deviceName: "a test", cors: true,
        oidc: isToken ? {} : {
            client_id: relyingParty.id, redirect_uri: "https://shop.example/login", response_type: "code",
            scope: "openid email", state: "abc",
        },
        ...changes,
    });
}

/** A method with a callback, as a promise of what it was called with. */
function call(client, name, ...operands) {
    return new Promise((resolve) => client[name](...operands, (error, value) => resolve({
        error: error && { message: error.message, status: error.status, cause: error.cause?.message }, value,
    })));
}

const isWrongPIN = ({ error }) =>
    isToken ? error?.message === "Unsuccessful authentication" : error?.status === 401;
const isRevoked = ({ error }) =>
    isToken ? error?.message === "Revoked" : error?.status === 410 || error?.status === 400;

const openSession = (client, user = USER) => call(client, "fetchAccessId", user);
const askForMail = (client, user = USER) =>
    version === 5 ? call(client, "verify", user, relyingParty.id) : call(client, "sendVerificationEmail", user);

async function openLink(client, link) {
    if (version !== 5) return call(client, "getActivationToken", link);
    // The page behind the link does this; that version of the client leaves it to the page.
    const query = new URL(link).searchParams;
    const answer = await post(backend.url + "/verification/confirmation",
        { userId: query.get("user_id"), code: query.get("code") });
    return answer.status === 200 ? { error: null, value: answer.json } : { error: { status: answer.status } };
}

const asked = [];
function register(client, token, pin, user = USER) {
    return call(client, "register", user, token, (take, digits) => {
        asked.push(digits);
        take(pin);
    });
}

async function registerByMail(client, user, pin) {
    if (isPlatformV2) await openSession(client, user);
    await askForMail(client, user);
    const opened = await openLink(client, (await backend.mail(user)).link);
    return opened.error ? opened : register(client, opened.value.actToken, pin, user);
}

/** Login of a page, which shows `text` as a QR code. */
function logPageIn(client, text, pin, user = USER) {
    if (isToken) return call(client, "authenticateWithQRCode", user, text, pin);
    client.setAccessId(text.split("#")[1]);
    return call(client, "authenticate", user, pin);
}

/** Login for itself; before the statement there was none without a page. */
async function logIn(client, pin, user = USER) {
    client.session = {};
    if (isToken) return call(client, "authenticate", user, pin);
    const opened = await openSession(client, user);
    return opened.error ? opened : logPageIn(client, opened.value.qrURL, pin, user);
}

async function registration(client) {
    if (isPlatformV2) await openSession(client);
    let told = await askForMail(client);
    check("an activation mail is sent", !told.error, told);
    told = await askForMail(client);
    check("a second one at once is put off", told.error !== null, told);
    const mail = await backend.mail(USER);
    check("its link leads to the backend", mail?.link.startsWith(backend.origin), mail);
    told = await openLink(client, mail.link);
    const token = told.value?.actToken;
    check("the link gives an activation token", !told.error && token, told);
    told = await openLink(client, mail.link);
    check("the link works once", told.error && (!isToken || told.error.message === "Unsuccessful verification"), told);
    told = await register(client, "nonsense", "1111");
    check("a wrong token is refused",
        told.error && (!isToken || told.error.message === "Invalid activation token"), told);
    told = await register(client, token, PIN);
    check("registration", !told.error && client.users.exists(USER), told);
    check("the server says how many digits a PIN has", asked[0] === 4, asked);
    told = await register(device(), token, PIN);
    check("the token works once", told.error, told);
}

async function statement(client) {
    let told = await logIn(client, PIN);
    let claims = {}, isGenuine = false;
    if (!told.error) {
        const [head, body, signature] = told.value.jwt.split(".");
        const key = (await request("GET", backend.url + "/dvs/jwks")).json.keys[0];
        isGenuine = crypto.verify("RSA-SHA256", Buffer.from(`${head}.${body}`),
            crypto.createPublicKey({ key, format: "jwk" }), Buffer.from(signature, "base64url"));
        claims = JSON.parse(Buffer.from(body, "base64url"));
    }
    check("a login gives a signed statement",
        isGenuine && claims.sub === USER && [claims.aud].flat().includes(project), [told, claims]);
    told = await logIn(client, OTHER_PIN);
    check("a wrong PIN gives none", isWrongPIN(told) && !told.value, told);
    told = await logIn(client, PIN);
    check("the right PIN after it", !told.error, told);
}

async function pages(client) {
    const page = device();
    let opened = await openSession(page);
    check("a page opens a session", !opened.error && opened.value.accessId && opened.value.webOTT, opened);
    const { qrURL } = opened.value;
    let told = await call(page, "fetchStatus");
    check("its status is new", told.value?.status === "new", told);
    told = await logPageIn(client, qrURL, "9999");
    check("a wrong PIN for a page", isWrongPIN(told), told);
    told = await logPageIn(client, qrURL, PIN);
    check("the right PIN for a page", !told.error, told);
    told = await call(page, "fetchStatus");
    check("the page hears who it is", told.value?.status === "authenticate" && told.value?.userId === USER, told);
    told = await logPageIn(client, qrURL, PIN);
    check("a code is valid once", told.error, told);
    told = await logPageIn(client, qrURL.split("#")[0] + "#" + "f".repeat(32), PIN);
    check("an unknown code is refused", told.error, told);
    if (isToken) {
        opened = await openSession(page);
        told = await call(client, "authenticateWithAppLink", USER, `https://app.example#${opened.value.accessId}`, PIN);
        check("login by an app link", !told.error, told);
        opened = await openSession(page);
        told = await call(client, "authenticateWithNotificationPayload",
            { userID: USER, qrURL: opened.value.qrURL, projectID: project }, PIN);
        check("login by a notification's payload", !told.error, told);
    }
    told = await call(page, NAMES.push, USER);
    check("notifications, which this backend does not send, are refused", told.error, told);
    const browser = await backend.browser();
    told = await logPageIn(client, browser.text, PIN);
    const session = await browser.session();
    check("the web site's own page, by its picture",
        !told.error && session.state === "authenticated" && session.user === USER, [told, session]);
}

async function codes(client) {
    let told;
    client.setAccessId?.(undefined);
    client.session = {};
    if (NAMES.otp in client && dialect !== "trust-2025") {
        told = await call(client, NAMES.otp, USER, PIN);
        check("one-time password", !told.error && /^\d{6}$/.test(told.value.OTP ?? told.value.otp), told);
    }
    if (NAMES.authCode in client) {
        if (version === 5) await openSession(client);
        told = await call(client, NAMES.authCode, USER, PIN);
        check("authorization code", !told.error && told.value.code, told);
    }
    client.session = {};
    told = await call(client, NAMES.registrationCode, USER, PIN);
    const code = told.value?.code || told.value?.OTP || told.value?.otp;
    check("a registration code", !told.error && /^\d{6}$/.test(code), told);
    const other = device();
    if (isPlatformV2) await openSession(other);
    told = await register(other, code, OTHER_PIN);
    check("the other device registers with it", !told.error, told);
    told = await logIn(other, OTHER_PIN);
    check("and logs in with a PIN of its own", !told.error, told);
    other.session = {};
    told = await call(other, NAMES.registrationCode, USER, OTHER_PIN);
    check("it issues no code itself", told.error, told);
    const third = device();
    if (isPlatformV2) await openSession(third);
    told = await register(third, code, "1111");
    check("that code is valid once", told.error, told);
}

function sign(client, pin, timestamp) {
    client.session = {};
    return call(client, NAMES.sign, USER, pin, HASH, timestamp);
}

const verify = (signature, timestamp, secret = relyingParty.secret) =>
    post(backend.url + "/dvs/verify", { signature, timestamp, type: "verification" }, basic(secret));

async function signatures(client) {
    const now = Math.floor(Date.now() / 1000);
    let told;
    client.session = {};
    if (isPlatformV2) {
        told = await call(client, NAMES.signingRegister, USER, PIN, SIGNING_PIN);
        check("an identity for signing, with a PIN of its own", !told.error, told);
    }
    told = await sign(client, SIGNING_PIN, now);
    check("a document is signed", !told.error && told.value?.u, told);
    const signature = told.value;
    let answer = await verify(signature, now);
    check("the relying party is given a certificate", answer.status === 200 && answer.json.certificate, answer);
    const hash = (HASH[0] === "0" ? "1" : "0") + HASH.slice(1);
    answer = await verify({ ...signature, hash }, now);
    check("a signature of another document is refused", answer.status === 401, answer);
    answer = await verify(signature, now, "wrong");
    check("so is a wrong client secret", [401, 403].includes(answer.status), answer);
    told = await sign(client, "0000", now);
    check("signing with a wrong PIN", told.error, told);
    told = await sign(client, SIGNING_PIN, now + 1);
    check("signing with the right one after it", !told.error, told);
}

async function renewal(client) {
    const signing = isPlatformV2 ? client.dvsUsers : client.users;
    let before = JSON.stringify(client.users.get(USER));
    await backend.command("renew", USER);
    let told = await logIn(client, PIN);
    check("a login after `renew` takes a new key",
        !told.error && JSON.stringify(client.users.get(USER)) !== before, told);
    before = client.users.get(USER, "token");
    told = await logIn(client, PIN);
    check("and the one after it takes none", !told.error && client.users.get(USER, "token") === before, told);
    await backend.command("renew", USER);
    const timestamp = Math.floor(Date.now() / 1000) + 2;
    before = signing.get(USER, "token");
    told = await sign(client, SIGNING_PIN, timestamp);
    check("signing after `renew`", !told.error && (!isSeeded || signing.get(USER, "token") !== before), told);
    told = await sign(client, SIGNING_PIN, timestamp + 1);
    const answer = await verify(told.value, timestamp + 1);
    check("a signature by the new key is verified", answer.status === 200, [told, answer]);
}

async function refusals(client) {
    const told = [];
    for (const pin of ["0000", "0001", "0002", PIN]) told.push(await logIn(client, pin));
    check("three wrong PINs block, and then the right one is refused",
        isWrongPIN(told[0]) && isWrongPIN(told[1]) && isRevoked(told[2]) && isRevoked(told[3]), told);
    const other = device(), user = "revoked-" + USER;
    let one = await registerByMail(other, user, PIN);
    check("another person registers", !one.error, one);
    await backend.command("revoke", user);
    one = await logIn(other, PIN, user);
    check("who is revoked by the operator is refused", isRevoked(one), one);
    one = await openSession(device({ projectId: "other", customerId: "other", oidc: {} }));
    check("another project is refused", one.error, one);
}

const mine = device();
await registration(mine);
if (isToken) await statement(mine);
await pages(mine);
await codes(mine);
await signatures(mine);
await renewal(mine);
await refusals(mine);
checks.end();

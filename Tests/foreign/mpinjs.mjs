// SPDX-License-Identifier: Apache-2.0
// Milagro's mpinjs, as the classic login page uses it: in the browser's own window, with milagro-crypto.
//
//   node mpinjs.mjs FACTS
//
// FACTS is a JSON document: `scripts` (the files to load, in this order) and what `Backend` takes.

import crypto from "node:crypto";
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { Backend, Checks, Memory, post, request, xmlHttpRequest } from "./surroundings.mjs";

const facts = JSON.parse(process.argv[2]);
const backend = new Backend(facts);
const checks = new Checks();
const check = checks.check.bind(checks);
const USER = `m${crypto.randomBytes(4).toString("hex")}@example.com`;
const PIN = "1234";

/** A browser of its own: the library keeps its users in a variable of the script. */
async function device(storage = new Memory()) {
    const window = { XMLHttpRequest: xmlHttpRequest(backend.url + "/"), localStorage: storage, console, setTimeout,
        clearInterval, crypto: crypto.webcrypto };
    window.window = window;
    vm.createContext(window);
    for (const script of facts.scripts) vm.runInContext(readFileSync(script, "utf8"), window, { filename: script });
    window.MPINAuth.initializeRNG(crypto.randomBytes(32).toString("hex"));
    const client = new window.mpinjs({ server: backend.url });
    const told = await call(client, "init");
    if (told.error) throw new Error(`clientSettings: ${JSON.stringify(told)}`);
    return client;
}

function call(client, name, ...operands) {
    return new Promise((resolve) => client[name](...operands, (error, value) => resolve({ error, value })));
}

/** The person opens the mail's link and presses the button there. */
async function confirm(user = USER) {
    const { link } = await backend.mail(user);
    const { origin, search, pathname } = new URL(link);
    const answer = await request("POST", origin + pathname, {
        body: search.slice(1), headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: origin },
    });
    return answer.status;
}

/** Whatever is left to do after a login is begun. */
async function logIn(client, pin, finish = "finishAuthentication", ...operands) {
    const told = await call(client, "startAuthentication", USER);
    return told.error ? told : call(client, finish, USER, pin, ...operands);
}

async function registration(client) {
    client.makeNewUser(USER, "kitchen");
    let told = await call(client, "startRegistration", USER);
    check("registration begins", told.value === true && client.getUser(USER, "state") === "STARTED", told);
    // Without the mail the library goes on after a refused share only where that is 401 or 400.
    told = await call(client, "confirmRegistration", USER);
    check("before the mail is confirmed it is not verified", told.error?.type === "IDENTITY_NOT_VERIFIED", told);
    told = await call(client, "restartRegistration", USER);
    check("it is started again", told.value === true, told);
    check("the mail is confirmed", await confirm() === 200);
    told = await call(client, "confirmRegistration", USER);
    check("the shares of the secret", told.value === true, told);
    check("it ends with a PIN", client.finishRegistration(USER, PIN) === true
        && client.getUser(USER, "state") === "REGISTERED");
}

async function logins(client) {
    let told = await logIn(client, PIN);
    check("login", told.error === null && told.value !== undefined, told);
    told = await logIn(client, PIN);
    check("login with the permit of today that it kept", !told.error, told);
    told = await logIn(client, PIN, "finishAuthenticationOtp");
    check("one-time password", !told.error && /^\d{6}$/.test(told.value.otp) && told.value.ttlSeconds > 0, told);
    told = await logIn(client, "4321");
    check("a wrong PIN", told.error?.type === "WRONG_PIN" && client.getUser(USER, "state") === "REGISTERED", told);
    told = await logIn(client, PIN);
    check("the right PIN after it", !told.error, told);
}

/** A page that waits while the phone, which is `client`, types the access number or scans the code. */
async function pages(client) {
    const page = await device();
    let shown = await call(page, "getAccessNumber");
    check("a page asks for an access number", /^\d+$/.test(shown.value?.accessNumber), shown);
    const number = String(shown.value.accessNumber);
    const other = number.slice(0, -1) + (Number(number.at(-1)) + 1) % 10;
    check("its check digit is right, and another one is not",
        client.checkAccessNumber(number) === true && client.checkAccessNumber(other) === false, number);
    let waiting = call(page, "waitForMobileAuth", 30, 1);
    let told = await logIn(client, PIN, "finishAuthenticationAN", number);
    let heard = await waiting;
    check("login of the page by access number", !told.error && !heard.error, [told, heard]);
    told = await logIn(client, PIN, "finishAuthenticationAN", number);
    check("a used number is refused", told.error?.type === "INCORRECT_ACCESS_NUMBER", told);

    const second = await device();
    shown = await call(second, "getQrUrl", "");
    const code = shown.value?.qrUrl.split("#")[1];
    check("a page asks for a QR code", code, shown);
    waiting = call(second, "waitForMobileAuth", 30, 1);
    told = await logIn(client, PIN, "finishAuthenticationAN", code);
    heard = await waiting;
    check("login of the page by QR code", !told.error && !heard.error, [told, heard]);
    told = await logIn(client, PIN, "finishAuthenticationAN", "0".repeat(32));
    check("an unknown code is refused", told.error?.type === "INCORRECT_ACCESS_NUMBER", told);
    const third = (await post(backend.url + "/rps/getQrUrl", {})).json;
    told = await logIn(client, PIN, "finishAuthenticationAN", third.qrUrl.split("#")[1]);
    check("a page that is gone", told.error?.type === "REQUEST_EXPIRED", told);
}

async function refusals(client, storage) {
    const again = await device(storage);
    let told = await logIn(again, PIN);
    check("a device that was restarted logs in", !told.error, told);
    const states = [];
    for (const pin of ["0000", "0001", "0002"]) {
        told = await logIn(client, pin);
        states.push(told.error?.type, client.getUser(USER, "state"));
    }
    check("three wrong PINs block",
        states.join() === "WRONG_PIN,REGISTERED,WRONG_PIN,REGISTERED,WRONG_PIN,BLOCKED", states);
    told = await logIn(again, PIN);
    check("the right PIN is refused then, from the copy as well",
        told.error?.type === "WRONG_PIN" && again.getUser(USER, "state") === "BLOCKED", told);
    await backend.command("unblock", USER);
    const unblocked = await device(storage);
    unblocked.addToUser(USER, { state: "REGISTERED" });
    told = await logIn(unblocked, PIN);
    check("and accepted after `unblock`", !told.error, told);
    await backend.command("revoke", USER);
    told = await call(unblocked, "startAuthentication", USER);
    check("who is revoked by the operator is given no permit", told.error?.type === "USER_REVOKED", told);
}

const storage = new Memory();
const mine = await device(storage);
await registration(mine);
await logins(mine);
await pages(mine);
await refusals(mine, storage);
checks.end();

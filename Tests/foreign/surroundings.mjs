// SPDX-License-Identifier: Apache-2.0
// The surroundings of a client: the part of a browser that Node lacks, the web site's own page, the mails, the operator;
// and the checks.

import { execFile } from "node:child_process";
import http from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
// Longer than a device waits for its browser, and than the pause after wrong PINs.
const LIMIT = 40_000;

/** What was asked of the backend, answered with status, headers, text and, where it is one, the JSON document. */
export function request(method, url, { body, headers = {} } = {}) {
    const bytes = body === undefined || body instanceof Buffer ? body : Buffer.from(body);
    return new Promise((resolve, reject) => {
        const sent = http.request(url, {
            method, timeout: LIMIT, headers: { ...headers, ...(bytes ? { "Content-Length": bytes.length } : {}) },
        }, (answer) => {
            const parts = [];
            answer.on("data", (part) => parts.push(part));
            answer.on("end", () => {
                const data = Buffer.concat(parts);
                const reply = { status: answer.statusCode, headers: answer.headers, data, text: data.toString() };
                try { reply.json = JSON.parse(reply.text); } catch { /* not every answer is JSON */ }
                resolve(reply);
            });
            answer.on("error", reject);
        });
        sent.on("timeout", () => sent.destroy(new Error(`no answer from ${url}`)));
        sent.on("error", reject);
        sent.end(bytes);
    });
}

export function post(url, document, headers = {}) {
    return request("POST", url, {
        body: JSON.stringify(document), headers: { "Content-Type": "application/json", ...headers },
    });
}

/** A browser's XMLHttpRequest, as far as clients use it, in the page at an address. */
export function xmlHttpRequest(page) {
    return class {
        readyState = 0;
        status = 0;
        statusText = "";
        responseText = "";
        #headers = { Origin: new URL(page).origin };

        open(method, url) {
            this.method = method;
            this.url = new URL(url, page);
        }

        setRequestHeader(name, value) {
            this.#headers[name] = value;
        }

        send(body) {
            request(this.method, this.url, { body: body ?? undefined, headers: this.#headers })
                .then((reply) => Object.assign(this, { status: reply.status, responseText: reply.text }), () => {})
                .then(() => {
                    this.readyState = 4;
                    this.onreadystatechange();
                });
        }
    };
}

/** What a page keeps of a client's in the browser. */
export class Memory {
    #entries = new Map();

    getItem(key) { return this.#entries.get(key) ?? null; }
    setItem(key, value) { this.#entries.set(key, String(value)); }
    removeItem(key) { this.#entries.delete(key); }
}

/** The backend under test, as its people and its operator see it. */
export class Backend {
    /** `facts`: the origin, a place below it or "", and program and options of a management command. */
    constructor(facts) {
        Object.assign(this, facts);
        this.url = this.origin + this.place;
    }

    /** The newest activation mail to a user, with the address that its short link leads to. */
    async mail(user) {
        const { json } = await request("GET", this.origin + "/outbox", { headers: { Accept: "application/json" } });
        const mail = json.mails.find((mail) => mail.to === user);
        if (!mail?.link) return mail;
        const { headers } = await request("GET", mail.link);
        return { ...mail, link: this.origin + headers.location };
    }

    /** What the operator does to a user's identities. */
    async command(name, ...operands) {
        return (await run(this.program, [name, ...this.options, ...operands])).stdout;
    }

    /** A browser at the web site's own page, with the text of the QR code it shows. */
    async browser() {
        const page = await request("GET", this.url + "/");
        const headers = { Cookie: page.headers["set-cookie"].map((cookie) => cookie.split(";")[0]).join("; ") };
        const picture = await request("GET", this.url + "/qr.png", { headers });
        const folder = await mkdtemp(path.join(tmpdir(), "foreign-"));
        try {
            const file = path.join(folder, "qr.png");
            await writeFile(file, picture.data);
            const { stdout } = await run("zbarimg", ["-q", "--raw", file]);
            return {
                text: stdout.trim(),
                session: async () => (await request("GET", this.url + "/session", { headers })).json,
            };
        } finally {
            await rm(folder, { recursive: true });
        }
    }
}

export class Checks {
    passed = 0;
    failed = [];

    /** `told` is shown where it is not so. */
    check(name, isSo, told) {
        if (isSo) {
            this.passed += 1;
            console.log(`ok    ${name}`);
        } else {
            this.failed.push(name);
            console.log(`FAIL  ${name}: ${JSON.stringify(told)}`);
        }
    }

    end() {
        console.log(`${this.passed} passed, ${this.failed.length} failed`);
        process.exit(this.failed.length === 0 ? 0 : 1);
    }
}

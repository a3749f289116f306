// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// An operator's commands for one user, from the registration to the end, with the real backend.
@Suite("Operators' commands in each kind of dialect", .fewAtATime)
struct OperatorStoryTests {
    private static let user = OperatorStage.user

    @Test(arguments: [OperatorDialect.milagro, .mfaV2, .trust2025])
    func story(_ dialect: OperatorDialect) async throws {
        let stage = try await OperatorStage(dialect)
        let nobody = try await stage.run("identities", "list")
        #expect(nobody.status == 0 && nobody.output.hasPrefix("nobody is registered"), "\(nobody)")
        try await enroll(stage)
        try await look(stage)
        try await logIn(stage)
        try await changePIN(stage)
        try await getPassword(stage)
        try await registerAnotherDevice(stage)
        try await sign(stage)
        try await delete(stage)
    }

    /// The first run requests the mail, and the second gets the mail's code.
    private func enroll(_ stage: OperatorStage) async throws {
        let dialect = stage.dialect
        var place = ["--backend", stage.site]
        var code: [String] = []
        if dialect.registersForPages {
            try await stage.run("enroll", "--backend", stage.site, "--user", Self.user).expect(
                64, "hint: name it: --qr")
            place = ["--qr"]
            code = [try await stage.page().code]
        }
        func run(_ lines: [String]) async throws -> Program.Run {
            try await stage.run("enroll", "--wait", "0", "--user", Self.user, with: place, lines: code + lines)
        }
        try await run([]).expect(88, "hint: follow the mail")
        var answers: [String] = []
        if dialect.isTrust {
            try await run([
                "\(stage.site)/verification/confirmation?user_id=alice@example.com&code=17171717"
            ]).expect(77, "the code is wrong")
            try await run(["\(stage.site)/verification/confirmation?user_id=bob@example.com&code=17171717"]).expect(
                65, "a mail to somebody else")
            answers = [try await stage.mailedLink()]
        } else {
            try await stage.followMail()
        }
        if !dialect.registersForPages, !dialect.isTrust {
            // The shares were fetched and lost with the PIN, so the registration restarts automatically.
            try await run(["0000"]).expect(90, "a PIN of zeros is too easy to guess")
            try await run([]).expect(88)
            try await stage.followMail()
        }
        try await run(answers + [pin(of: stage)]).expect(0, printing: "registered: \(Self.user)\n")
        try await run(answers + [pin(of: stage)]).expect(73, "registered already")
    }

    private func look(_ stage: OperatorStage) async throws {
        let list = try await stage.run("identities", "list")
        #expect(list.output.contains("1  registered  \(stage.dialect.rawValue)  \(stage.site.dropFirst(7))"), "\(list)")
        let show = try await stage.run("identities", "show", "--user", "ALICE@example.com", "--json")
        #expect(show.output.contains(#""state":"registered","user":"alice@example.com""#), "\(show)")
        #expect(show.output.contains(#""canSign":\#(stage.dialect.isTrust)"#), "\(show)")
        #expect(!show.output.contains("mpinID"), "\(show)")
        let verbose = try await stage.run("identities", "show", "--user", Self.user, "--verbose")
        #expect(verbose.output.contains("mpin_id: 7b22"), "\(verbose)")
    }

    private func logIn(_ stage: OperatorStage) async throws {
        let page = try await stage.page()
        async let browser: Void = page.poll()
        try await stage.run("login", "--user", Self.user, lines: [page.code, pin(of: stage)]).expect(
            0, printing: "logged in: \(Self.user)\n")
        try await browser
        try await stage.run(
            "login", "--user", Self.user, "--json",
            lines: ["\(stage.site)#0123456789abcdef0123456789abcdef", pin(of: stage)]
        ).expect(83, outcome: "sessionExpired")
    }

    /// Changes to another PIN and back.
    private func changePIN(_ stage: OperatorStage) async throws {
        let (old, new) = (pin(of: stage), String("580346".prefix(pin(of: stage).count)))
        func run(_ lines: String...) async throws -> Program.Run {
            try await stage.run("identities", "change-pin", "--user", Self.user, "--json", lines: lines)
        }
        try await run(old, old).expect(65, outcome: "samePIN")
        let changed = try await stage.run("identities", "change-pin", "--user", Self.user, lines: [old, new])
        #expect(changed.status == 0 && changed.output.hasPrefix("the PIN was changed: \(Self.user) at "), "\(changed)")
        try await run(old, new == "580346" ? "471028" : "4710").expect(80, outcome: "wrongPIN")
        try await run(new, old).expect(0, outcome: "pinChanged")
    }

    private func getPassword(_ stage: OperatorStage) async throws {
        let run = try await stage.run("otp", "--user", Self.user, lines: [pin(of: stage)])
        guard stage.dialect.hasPasswords else {
            #expect(run.status == 69 && run.output.isEmpty && run.errors.contains("does not offer"), "\(run)")
            return
        }
        #expect(run.status == 0 && run.output.wholeMatch(of: /[0-9]{6}\n/) != nil, "\(run)")
        #expect(run.errors.contains("one-time password, for "), "\(run)")
        #expect(!run.errors.contains(run.output.trimmingCharacters(in: .newlines)), "the password is in the log")
    }

    private func registerAnotherDevice(_ stage: OperatorStage) async throws {
        let run = try await stage.run("registration-code", "--user", Self.user, "--json", lines: [pin(of: stage)])
        guard stage.dialect.hasCodesForDevices else {
            #expect(run.status == 69 && run.outcome == "notOffered", "\(run)")
            return
        }
        #expect(run.status == 0 && run.outcome == "codeIssued", "\(run)")
        let code = try #require(run.output.firstMatch(of: /"code":"([0-9]{6})"/).map { String($0.output.1) }, "\(run)")
        #expect(!run.errors.contains(code), "the code is in the log")
        let wrong = code == "000000" ? "000001" : "000000"
        for (code, status) in [(wrong, 77), (code, 0), (code, 73)] as [(String, Int32)] {
            try await registerByCode(code, stage).expect(status)
        }
        let list = try await stage.run("identities", "list", "--json", on: "second")
        #expect(list.output.contains(#""verification":"registration code""#), "\(list)")
    }

    private func registerByCode(_ code: String, _ stage: OperatorStage) async throws -> Program.Run {
        try await stage.run(
            "enroll", "--backend", stage.site, "--code", "--user", Self.user,
            with: stage.dialect.registersForPages ? ["--application", stage.site] : [],
            lines: [code, pin(of: stage)], on: "second")
    }

    private func sign(_ stage: OperatorStage) async throws {
        let document = stage.scratch.path("document")
        try Data("I owe you nothing.\n".utf8).write(to: URL(filePath: document))
        let hash = try await stage.run("sign", "--hash", "--document", document).expect(0)
        // mfa-v2 has a separate signing PIN, which is chosen at the first signature.
        let signingPIN = stage.dialect == .mfaV2 ? "8361" : pin(of: stage)
        let first = stage.dialect == .mfaV2 ? [pin(of: stage), signingPIN, signingPIN] : [signingPIN]
        let signed = try await stage.run(
            "sign", "--user", Self.user, "--document", document, "--application", stage.site, "--json", lines: first)
        guard stage.dialect.canSign else {
            #expect(signed.status == 69 && signed.outcome == "notOffered", "\(signed)")
            return
        }
        #expect(signed.status == 0 && signed.outcome == "signed", "\(signed)")
        #expect(signed.output.contains(#""accepted":true"#), "\(signed)")
        #expect(signed.output.contains(#""hash":"\#(hash.output.trimmingCharacters(in: .newlines))""#), "\(signed)")
        guard stage.dialect.isTrust else { return }
        let session = try await stage.signingSession(hash: hash.output.trimmingCharacters(in: .newlines))
        try await stage.run(
            "sign", "--user", Self.user, "--qr", "--json", lines: [session, signingPIN]
        ).expect(0, outcome: "signed")
        try await stage.run("sign", "--user", Self.user, "--qr", "--json", lines: [session, signingPIN]).expect(
            65, outcome: "alreadySigned")
    }

    private func delete(_ stage: OperatorStage) async throws {
        try await stage.run("identities", "delete", "--user", Self.user).expect(
            64, "hint: to delete without a question: --yes")
        let deleted = try await stage.run("identities", "delete", "--user", Self.user, "--yes")
        #expect(deleted.status == 0 && deleted.output.hasPrefix("deleted: \(Self.user) at "), "\(deleted)")
        try await stage.run("identities", "delete", "--user", Self.user, "--yes", "--json").expect(
            67, outcome: "unknownUser")
    }

    /// The PIN. Since mfa-v2 the server determines the number of digits.
    private func pin(of stage: OperatorStage) -> String { stage.dialect == .milagro ? "739154" : "7391" }
}

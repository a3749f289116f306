// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import Synchronization
import Testing

/// `docs/sdk.md` and the reference are true: their example is compiled and run, and the calls of their tables exist.
@Suite struct SDKPageTests {
    @Test(arguments: ["docs/sdk.md", "Sources/SDK/MPinClient/MPinClient.docc/GettingStarted.md"])
    func theExampleIsTheOneThatIsCompiled(_ path: String) throws {
        let blocks = try content(of: path).split(separator: "```swift\n").dropFirst().compactMap {
            $0.split(separator: "\n```").first
        }
        try #require(blocks.count == 2)
        let lines = blocks.map { $0.split(separator: "\n").filter { !$0.hasPrefix("///") } }
        #expect(lines[0].count + lines[1].count <= 30)
        let client = lines[0].map { "        \($0)\n" }.joined()
        #expect(try content(of: "Examples/Authenticator/main.swift").contains(client))
        #expect(try content(of: "Examples/Authenticator/LogIn.swift").hasSuffix("\n\n\(blocks[1])\n"))
    }

    /// PINs in the order of typing; nil means that the person leaves.
    @Test(arguments: [
        (["1234"], true, "/rps/authenticate"), (["1111", "1234"], true, "/rps/authenticate"),
        ([nil], false, "/rps/codeStatus"), (["1111", nil], false, "/rps/codeStatus"),
    ]) func theExampleLogsIn(_ pins: [String?], _ isLoggedIn: Bool, _ lastPath: String) async throws {
        let device = try await Device().ready()
        _ = try await device.user(.registered)
        #expect(try await logIn(device, pins) == isLoggedIn)
        #expect(device.transport.requests.last?.url.path == lastPath)
    }

    @Test func theExampleTellsWhenTheIdentityIsBlocked() async throws {
        let (device, user) = try await Device.with(.registered)
        let error = await #expect(throws: MPinError.self) {
            try await logIn(device, ["1111", "2222", "3333", "1234"])
        }
        #expect(error?.kind == .blocked && error?.status == .incorrectPIN)
        let other = Device(device.server, storage: device.storage)
        try await other.mpin.initialize()
        #expect(try await other.mpin.user(user.key)?.state == .blocked)
    }

    @Test func theExampleRefusesStrangersAndHostsThatAreNotTrusted() async throws {
        let device = try await Device().ready()
        let stranger = await #expect(throws: MPinError.self) { try await logIn(device, ["1234"]) }
        #expect(stranger?.kind == .misuse)
        let untrusted = await #expect(throws: MPinError.self) { try await logIn(device, ["1234"], trusted: []) }
        #expect(untrusted?.kind == .untrustedHost(.nothingTrusted))
    }

    static let classicCalls = [
        "initSDK", "initSDKWithHeaders:", "Destroy", "SetClientId:", "TestBackend:", "TestBackend:rpsPrefix:",
        "SetBackend:", "SetBackend:rpsPrefix:", "MakeNewUser:", "MakeNewUser:deviceName:", "DeleteUser:", "listUsers",
        "listUsers:", "listBackends", "GetSessionDetails:", "StartRegistration:", "StartRegistration:userData:",
        "StartRegistration:activateCode:", "StartRegistration:activateCode:userData:", "RestartRegistration:",
        "RestartRegistration:userData:", "ConfirmRegistration:", "ConfirmRegistration:pushNotificationIdentifier:",
        "FinishRegistration:pin:", "StartAuthentication:", "StartAuthentication:accessCode:", "CheckAccessNumber:",
        "FinishAuthentication:pin:", "FinishAuthentication:pin:authResultData:", "FinishAuthenticationOTP:pin:otp:",
        "FinishAuthenticationAN:pin:accessNumber:", "FinishAuthenticationMFA:pin:authzCode:", "CanLogout:", "Logout:",
        "GetClientParam:",
    ]

    static let mfaCalls = [
        "AddCustomHeaders:", "ClearCustomHeaders", "AddTrustedDomain:", "ClearTrustedDomains", "IsUserExisting:",
        "IsUserExisting:customerId:appId:", "getIUserById:", "ClearUsers", "getBackend", "getCustomerId", "getAppId",
        "getMPinId", "getPinLength", "canSign", "getRegistrationExpiration", "getVerificationType",
        "GetServiceDetails:serviceDetails:", "AbortSession:", "GetAccessCode:accessCode:",
        "StartVerification:clientId:accessCode:", "FinishVerification:verificationCode:verificationResult:",
        "StartRegistration:activateCode:pmi:", "StartRegistration:accessCode:pmi:",
        "StartRegistration:accessCode:regCode:pmi:", "SetRegistrationToken:token:", "isRegistrationTokenSet:",
        "FinishRegistration:pin0:pin1:", "StartAuthenticationOTP:", "StartAuthenticationRegCode:",
        "FinishAuthentication:pin:accessCode:", "FinishAuthentication:pin0:pin1:accessCode:",
        "FinishAuthentication:pin:accessCode:authzCode:", "FinishAuthentication:pin:pin1:accessCode:authzCode:",
        "FinishAuthenticationRegCode:pin:pin1:regCode:", "StartRegistrationDVS:pin0:pin1:",
        "StartRegistrationDVS:token:", "FinishRegistrationDVS:pinDVS:nfc:", "HashDocument:", "VerifyDocument:hash:",
        "Sign:documentHash:pin0:pin1:epochTime:result:",
    ]

    static let trustCalls = [
        "Configuration.Builder(projectId:deviceName:)", "configure(with:)", "getInstance()", "setProjectId(projectId:)",
        "projectId", "users", "getUser(by:)", "delete(user:)", "UserStorage",
        "getAuthenticationSessionDetailsFromQRCode",
        "getAuthenticationSessionDetailsFromUniversalLinkURL",
        "getAuthenticationSessionDetailsFromPushNotificationPayload", "abortAuthenticationSession",
        "getSigningSessionDetailsFromQRCode", "getSigningSessionDetailsFromUniversalLinkURL", "abortSigningSession",
        "sendVerificationEmail(userId:authenticationSessionDetails:)", "getActivationToken(verificationURL:)",
        "getActivationToken(userId:code:)",
        "register(for:activationToken:pushNotificationsToken:didRequestPinHandler:)", "authenticate(user:)",
        "authenticateWithQRCode", "authenticateWithUniversalLinkURL", "authenticateWithPushNotificationPayload",
        "generateQuickCode(user:)", "sign(message:user:)", "_sign(signingSessionDetails:)",
    ]

    @Test func everyOlderCallHasItsPlace() throws {
        // A row has the older calls of one of ours.
        let row = /\n\| (`[^`|]+`(?:, `[^`|]+`)*) \| `([^`]+)` \|/
        let page = "Sources/SDK/MPinClient/MPinClient.docc/OlderInterfaces.md"
        let rows = try content(of: page).matches(of: row).flatMap { match in
            match.1.matches(of: /`([^`]+)`/).map { (classic: String($0.1), ours: String(match.2)) }
        }
        #expect(Set(rows.map(\.classic)).count == rows.count)
        let calls = SDKPageTests.classicCalls + SDKPageTests.mfaCalls + SDKPageTests.trustCalls
        #expect(Set(calls).subtracting(rows.map(\.classic)).isEmpty)
        let signatures = try signatures()
        #expect(signatures.count > 25)
        for row in rows where row.ours.contains("(") {
            #expect(signatures.contains(row.ours), "\(row.classic) is now \(row.ours), which is not there")
        }
        // Every public call is on the page, or is newer than the classic interface.
        let newer: Set = [
            "allUsers()", "user(_:)", "forgetShares(of:)", "dialectOfBackend()", "replaceTrust(_:)",
            "changePIN(of:from:to:)", "portableIdentity(of:)", "isPortable(_:)", "isNamedByItsUser(_:)",
            "takeGuest(_:card:)", "dismissGuests()", "reconsider(_:)", "setTries(_:of:)",
            "renewRegistration(of:activateCode:accessCode:)",
        ]
        let unmentioned = signatures.subtracting(rows.map(\.ours)).subtracting(newer)
        #expect(unmentioned.isEmpty, "\(page) does not know \(unmentioned)")
    }

    @Test func theReferenceListsEveryCall() throws {
        let page = try content(of: "Sources/SDK/MPinClient/MPinClient.docc/MPinClient.md")
        for signature in try signatures() { #expect(page.contains("- ``MPin/\(signature)``\n"), "\(signature)") }
    }

    @Test(arguments: ["MPinClient", "MPinCrypto"]) func theReferenceListsEveryType(_ module: String) throws {
        let page = try content(of: "Sources/SDK/\(module)/\(module).docc/\(module).md")
        let listed = Set(page.matches(of: /\n- ``(\w+)``/).map { String($0.1) })
        var found: Set<String> = []
        let folder = root.appending(path: "Sources/SDK/\(module)")
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
            let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            let types = /(?:^|\n)public (?:final class|struct|enum|actor|protocol) (\w+)/
            found.formUnion(source.matches(of: types).map { String($0.1) })
        }
        #expect(found.count > 15 && listed == found, "\(listed.symmetricDifference(found))")
    }

    @Test func theTableAndTheCommentsNameTheSameCallsAsRepeatable() throws {
        let rows = try #require(
            try content(of: "docs/sdk.md").split(separator: "| Call | May be repeated |\n").last?.split(
                separator: "\n\n"
            ).first)
        let named = rows.split(separator: "\n").dropFirst().flatMap { row in
            row.split(separator: "|")[0].matches(of: /`(\w+)/).map { String($0.1) }
        }
        let noted = try sources().flatMap { source in
            source.matches(of: /((?: +\/\/\/.*\n)+) +public func (\w+)/).filter {
                $0.1.contains("- Note: May be repeated") || $0.1.contains("- Note: Must not be repeated")
            }.map { String($0.2) }
        }
        let withVariants = ["startAuthentication", "finishAuthentication"]
        #expect(Set(noted.map { name in withVariants.first { name.hasPrefix($0) } ?? name }) == Set(named))
        #expect(named.count > 15)
    }

    /// The sources of the actor.
    private func sources() throws -> [String] {
        let folder = root.appending(path: "Sources/SDK/MPinClient")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".swift") && ($0.hasPrefix("Actor/") || $0.hasPrefix("ChangePIN/"))
        }.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }

    /// The public methods of the actor, as `name(label:label:)`.
    private func signatures() throws -> Set<String> {
        var found: Set<String> = []
        for source in try sources() {
            for match in source.matches(of: /public (?:static )?func (\w+)\(([^)]*)\)/) {
                let labels = match.2.matches(of: /(?:^|,)\s*(\w+)[^:,]*:/).map { "\($0.1):" }
                found.insert("\(match.1)(\(labels.joined()))")
            }
        }
        return found
    }

    private func logIn(
        _ device: Device, _ pins: [String?], trusted: [TrustLine] = Device.trust().lines
    ) async throws -> Bool {
        let rest = Mutex(pins)
        let client = Device(device.server, storage: device.storage, trust: TrustPolicy(lines: trusted)).mpin
        try await client.initialize()
        return try await MPinClientTests.logIn(
            with: client, qrCode: Array("https://login.test#\(text(accessCode))".utf8), as: "alice@example.com",
            askPIN: { question in
                #expect(question == "Log in at https://rps.test?")
                return rest.withLock { $0.removeFirst() }.flatMap { try? makePin($0) }
            })
    }

    private var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    private func content(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Replies with many members, byte for byte, because existing clients read them in this form.
@Suite struct ReplyTextTests {
    private static func text(_ object: JSONObject) -> String { String(decoding: object.body, as: UTF8.self) }

    private static let milagroSettings = """
        {"accessNumberDigits":7,"accessNumberURL":"u/rps/access","accessNumberUseCheckSum":true,\
        "appID":"app","authenticateURL":"u/mpinAuthenticate","cSum":1,"certivoxURL":"u/dta/",\
        "codeStatusURL":"u/rps/codeStatus","getAccessNumberURL":"u/rps/getAccessNumber",\
        "getQrUrl":"u/rps/getQrUrl","mobileAuthenticateURL":"u/rps/authenticate",\
        "mpinAuthServerURL":"u/rps","registerURL":"u/rps/user","requestOTP":false,"seedValue":"0102",\
        "setDeviceName":false,"setupDoneURL":"u/rps/setupDone","signatureURL":"u/rps/signature",\
        "timePermitsStorageURL":"","timePermitsURL":"u/rps/timePermit","useNFC":false,\
        "useWebSocket":false}
        """
    private static let withoutPermits = [
        ("\"u/rps/timePermit\"", "\"\""), ("\"useWebSocket\"", "\"usePermits\":false,\"useWebSocket\""),
    ]

    /// The settings of a dialect, by their differences from Milagro's.
    @Test(
        arguments: [
            (.milagro, []), (.milagroWithoutPermits, withoutPermits),
            (
                .mfaV1,
                withoutPermits + [
                    ("Digits\":7", "Digits\":0,\"accessNumberFormat\":\"qr\""), ("CheckSum\":true", "CheckSum\":false"),
                    ("u/mpinAuthenticate", "u/rps/authenticate"), ("\"cSum\":1", "\"cSum\":0"),
                ]
            ),
        ] as [(Dialect, [(String, String)])])
    func settings(_ dialect: Dialect, _ differences: [(String, String)]) {
        let settings = ClientSettings(url: "u", appID: "app", dialect: dialect, seed: [1, 2])
        #expect(Self.text(settings.json) == differences.reduce(Self.milagroSettings) { $0.replacing($1.0, with: $1.1) })
    }

    @Test func settingsOfThePlatform() {
        let settings = PlatformClientSettings(url: "u", appID: "app", seed: [1, 2])
        #expect(
            Self.text(settings.json)
                == """
                {"accessNumberDigits":0,"accessNumberFormat":"qr","accessNumberUseCheckSum":false,\
                "appID":"app","authenticateURL":"u/rps/v2/authenticate","cSum":0,\
                "codeStatusURL":"u/rps/v2/codeStatus","dvsRegURL":"u/rps/v2/dvsregister",\
                "mobileAuthenticateURL":"u/rps/v2/authenticate","mpinAuthServerURL":"u/rps/v2",\
                "pass1URL":"u/rps/v2/pass1","pass2URL":"u/rps/v2/pass2","registerURL":"u/rps/v2/user",\
                "requestOTP":false,"seedValue":"0102","setDeviceName":true,\
                "signatureURL":"u/rps/v2/signature","timePermitsStorageURL":"","timePermitsURL":"",\
                "usePermits":false,"useWebSocket":false}
                """)
    }

    private static let trust2023Details = """
        {"description":"pay","enableRegistrationCode":true,"identityType":"email",\
        "identityTypeLabel":"","limitRegCodeVerified":true,"pinLength":4,"prerollId":"alice",\
        "projectId":"id","projectLogoURL":"/l","projectName":"Site","verificationCustomText":"",\
        "verificationMethod":"standardEmail","verificationURL":""}
        """

    /// The details of a session, by their differences from those of Trust 2023.
    @Test(
        arguments: [
            (.trust2023, nil, []),
            (
                .mfaV2, nil,
                [
                    (
                        "{",
                        """
                        {"appLogoURL":"/l","appName":"Site","clientId":"","customerId":"id","customerLogoURL":"/l",\
                        "customerName":"Site",
                        """
                    ), ("\"Site\",\"ver", "\"Site\",\"redirectURI\":\"\",\"registerOnly\":false,\"ver"),
                ]
            ), (.trust2025, nil, [("true,\"identityType\"", "true,\"hash\":\"ab\",\"identityType\"")]),
            (
                .trust2023, WallTime(seconds: 300),
                [
                    ("true,\"identityType\"", "true,\"expireTime\":300,\"hash\":\"ab\",\"identityType\""),
                    ("\"Site\",", "\"Site\",\"status\":\"active\",\"userID\":\"alice\","),
                ]
            ),
        ] as [(PlatformGeneration, WallTime?, [(String, String)])])
    func details(_ generation: PlatformGeneration, _ signingEnds: WallTime?, _ differences: [(String, String)]) {
        var session = LoginSession()
        (session.request.userID, session.request.description, session.request.hash) = ("alice", "pay", "ab")
        let details = PlatformSessionDetails(
            session: session, projectID: "id", name: "Site", logo: "/l", pinLength: 4, generation: generation,
            signingEnds: signingEnds)
        #expect(
            Self.text(details.json) == differences.reduce(Self.trust2023Details) { $0.replacing($1.0, with: $1.1) })
        _ = session.sign("alice", "x")
        let signed = PlatformSessionDetails(
            session: session, projectID: "id", name: "Site", logo: "/l", pinLength: 4, generation: generation,
            signingEnds: signingEnds)
        #expect(signed.json.string("status") == (signingEnds == nil ? nil : "signed"))
    }

    @Test func loginsOfThePlatform() throws {
        let token = try OneTimeToken.random()
        let times = CodeTimes(begins: WallTime(seconds: 1), lifetime: .seconds(60))
        for (reply, text) in [
            (PlatformLoginReply(), #"{"message":"OK","status":200}"#),
            (PlatformLoginReply(code: ""), #"{"code":"","message":"OK","status":200}"#),
            (PlatformLoginReply(webToken: "a.b.c"), #"{"jwt":"a.b.c","message":"OK","status":200}"#),
            (
                PlatformLoginReply(typedCode: TypedCode(code: "012345", times: times)),
                #"{"OTP":"012345","expireTime":61000,"message":"OK","nowTime":1000,"otp":"012345","status":200,"#
                    + #""ttlSeconds":60}"#
            ),
            (
                PlatformLoginReply(keyOffer: NewKeyOffer(token: token)),
                #"{"dvsRegister":{"curve":"BN254CX","token":"\#(token.hex)"},"message":"OK","status":200}"#
            ),
        ] { #expect(Self.text(reply.json) == text) }
    }

    @Test func logoutDataComesBack() throws {
        let token = try OneTimeToken.random()
        let offered = LogoutData(userID: "alice", sessionToken: token)
        #expect(Self.text(offered.json) == #"{"sessionToken":"\#(token.hex)","userId":"alice"}"#)
        let read = try LogoutData(offered.json)
        #expect(read.userID == "alice" && read.sessionToken == token)
        #expect(try LogoutData(JSONObject(["sessionToken": "x"])).sessionToken == nil)
        #expect(throws: Refusal.self) { try LogoutData(JSONObject(["userId": "alice"])) }
    }
}

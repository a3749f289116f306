// SPDX-License-Identifier: Apache-2.0

// Compares the project's own code with libraries that could replace it: `make bench-libraries`. It is compiled with
// those files alone. The conclusions are in docs/decisions/0068-own-code-or-library.md.

import COpenSSL
import Foundation

/// A device's pass 1.
private struct PassOne: Decodable {
    let mpinID: String
    let commitment: String
    let permitted: String
    let pass: Int

    enum CodingKeys: String, CodingKey {
        case mpinID = "mpin_id", commitment = "U", permitted = "UT", pass
    }
}

private struct PassOneReply: Encodable {
    var pass = 1
    let y: String
    var message = "OK"
    var version = "0.3"
}

/// Any JSON by Foundation's decoder, to compare with `JSONValue`.
private enum AnyJSON: Decodable {
    case null, boolean(Bool), integer(Int64), number(Double), string(String), array([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode([String: AnyJSON].self) {
            self = .object(value)
        } else if let value = try? container.decode([AnyJSON].self) {
            self = .array(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .null
        }
    }
}

/// Processor time of this thread.
private func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

private func duration(_ body: () -> Bool) -> Double {
    let count = 200
    let begin = nanoseconds()
    for _ in 0..<count where !body() { fatalError("a wrong result") }
    return Double(nanoseconds() - begin) / Double(count)
}

/// Runs both in turn, 41 times, and prints medians and the middle 80 per cent of the ratios.
/// - Parameters: each returns whether its result is right.
private func compare(_ name: String, ours: () -> Bool, library: () -> Bool) {
    _ = (duration(ours), duration(library))
    let pairs = (0..<41).map { _ in (ours: duration(ours), library: duration(library)) }
    let ratios = pairs.map { $0.library / $0.ours }.sorted()
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    print(
        name,
        String(
            format: "ours %.0f ns, library %.0f ns, ratio %.2f (%.2f to %.2f)", median(pairs.map(\.ours)),
            median(pairs.map(\.library)), median(ratios), ratios[4], ratios[36]), separator: ": ")
}

private let point = (0..<65).map { UInt8($0) }
private let pointText = Hexadecimal.text(point)
private let mpinID = Hexadecimal.text((0..<130).map { UInt8($0) })
private let passOne = Array(#"{"mpin_id":"\#(mpinID)","U":"\#(pointText)","UT":"\#(pointText)","pass":1}"#.utf8)

private func readByUs() -> Bool {
    let body = JSONObject(body: passOne)
    return body?.string("mpin_id") == mpinID && body?.string("U") == pointText && body?.string("UT") == pointText
        && body?.integer("pass") == 1
}
compare("read pass 1, JSONDecoder into a type", ours: readByUs) {
    let body = try? JSONDecoder().decode(PassOne.self, from: Data(passOne))
    return body?.mpinID == mpinID && body?.commitment == pointText && body?.permitted == pointText && body?.pass == 1
}
compare("read pass 1, JSONDecoder into any value", ours: readByUs) {
    guard case .object(let body)? = try? JSONDecoder().decode(AnyJSON.self, from: Data(passOne)),
        case .string(mpinID)? = body["mpin_id"], case .string(pointText)? = body["U"],
        case .string(pointText)? = body["UT"], case .integer(1)? = body["pass"]
    else { return false }
    return true
}
compare("read pass 1, JSONSerialization", ours: readByUs) {
    let body = try? JSONSerialization.jsonObject(with: Data(passOne)) as? [String: Any]
    return body?["mpin_id"] as? String == mpinID && body?["U"] as? String == pointText
        && body?["UT"] as? String == pointText && body?["pass"] as? Int == 1
}

private let challenge = String(mpinID.prefix(32))
private let reply: [String: JSONValue] = [
    "pass": 1, "y": .string(challenge), "message": "OK", "version": "0.3",
]
private let replyText = Array(#"{"message":"OK","pass":1,"version":"0.3","y":"\#(challenge)"}"#.utf8)
private func writtenByUs() -> Bool { JSONObject(reply).body == replyText }
compare("write pass 1's reply, JSONEncoder", ours: writtenByUs) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(PassOneReply(y: challenge))).map { Array($0) == replyText } == true
}
compare("write pass 1's reply, JSONSerialization", ours: writtenByUs) {
    let reply: [String: Any] = ["pass": 1, "y": challenge, "message": "OK", "version": "0.3"]
    let text = try? JSONSerialization.data(withJSONObject: reply, options: [.sortedKeys, .withoutEscapingSlashes])
    return text.map { Array($0) == replyText } == true
}

compare("read 65 bytes in hexadecimal, libcrypto") {
    Hexadecimal.bytes(pointText) == point
} library: {
    var (bytes, count) = ([UInt8](repeating: 0, count: pointText.utf8.count / 2), 0)
    return OPENSSL_hexstr2buf_ex(&bytes, bytes.count, &count, pointText, 0) == 1 && bytes == point
}
compare("write 65 bytes in hexadecimal, libcrypto") {
    Hexadecimal.text(point) == pointText
} library: {
    var (digits, count) = ([UInt8](repeating: 0, count: 2 * point.count + 1), 0)
    let isDone = digits.withUnsafeMutableBytes { digits in
        OPENSSL_buf2hexstr_ex(
            digits.bindMemory(to: CChar.self).baseAddress, digits.count, &count, point, point.count, 0)
    }
    return isDone == 1 && String(decoding: digits.dropLast(), as: UTF8.self).lowercased() == pointText
}

private let signature = (0..<256).map { UInt8($0) }
private let signatureText = Base64.urlText(signature)
compare("write 256 bytes in base64url, Foundation's texts") {
    Base64.urlText(signature) == signatureText
} library: {
    Data(signature).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "") == signatureText
}
compare("read 256 bytes in base64url, Foundation's texts") {
    Base64.bytes(urlText: signatureText) == signature
} library: {
    let text = signatureText.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/") + "=="
    return Data(base64Encoded: text).map { Array($0) } == signature
}

private let query =
    "app_id=\(challenge)&expires=2026-11-22T22%3A30%3A00Z&hash_mpin_id=\(challenge)&signature=\(challenge)"
compare("read a query, Foundation's percent escapes") {
    FormFields(query)?["expires"] == "2026-11-22T22:30:00Z"
} library: {
    var fields: [String: String] = [:]
    for pair in query.split(separator: "&") {
        let halves = pair.split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding }
        if let name = halves[0], let value = halves[1] { fields[name] = value }
    }
    return fields["expires"] == "2026-11-22T22:30:00Z"
}

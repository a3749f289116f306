// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
import MPinCrypto

/// A signature as it travels: `{hash, mpinId, u, v, publicKey, dtas}`, in hexadecimal apart from `dtas`.
/// docs/protocol/miracl.md, section 12.3.
package struct SubmittedSignature: Sendable {
    /// The device's own text, with members that only others read.
    let message: JSONObject
    let mpinID: MPinID
    let publicKey: [UInt8]
    package let documentHash: [UInt8]
    let signature: DocumentSignature

    /// - Parameters:
    ///   - object: the members above. One relying-party library writes `mpinid`.
    ///   - timestamp: unix seconds; nil when the signature itself carries it.
    /// - Throws: `PlatformRefusal` that names the first field that is missing or malformed.
    init(_ object: JSONObject, timestamp: Int64?) throws(PlatformRefusal) {
        message = object
        func bytes(_ name: String, count: Int, or other: String? = nil) throws(PlatformRefusal) -> [UInt8] {
            let text = object.string(name) ?? other.flatMap { object.string($0) }
            guard let bytes = text.flatMap({ Hexadecimal.bytes($0) }), bytes.count == count else {
                throw .invalid(name)
            }
            return bytes
        }
        guard let mpinID = MPinID(hexadecimal: object.string("mpinId") ?? object.string("mpinid")) else {
            throw .invalid("mpinId")
        }
        guard let seconds = (timestamp ?? object.integer("timestamp")).flatMap({ UInt32(exactly: $0) }),
            let time = try? Timestamp(seconds)
        else { throw .invalid("timestamp") }
        self.mpinID = mpinID
        publicKey = try bytes("publicKey", count: 128)
        documentHash = try bytes("hash", count: 32)
        signature = DocumentSignature(u: try bytes("u", count: 65), v: try bytes("v", count: 65), timestamp: time)
    }

    /// - Parameter body: `{signature, timestamp}`.
    /// - Throws: as above, and without a signature.
    init(of body: JSONObject) throws(PlatformRefusal) {
        guard let object = body.object("signature") else { throw .invalid("signature") }
        try self.init(object, timestamp: body.integer("timestamp"))
    }

    /// The message with its timestamp in it, as a browser gets it.
    package var json: JSONObject { JSONObject(message.members.merging(["timestamp": .integer(timestamp)]) { $1 }) }

    package var timestamp: Int64 { Int64(signature.timestamp.value) }
}

// SPDX-License-Identifier: Apache-2.0

extension VectorFile {
    /// A description of the curve, a known file without cases.
    static let constants = "curve.json"

    /// Files of a variant that hashes identities in another way and is not used on the wire.
    static let otherVariant: Set<String> = ["core-encode-to-curve.json", "core-twopass.json"]

    /// The check of each file's cases. It throws `VectorError`, or the error of the computation.
    static let checks: [String: @Sendable (VectorCase) throws -> Void] = [
        "hash-id-map-g1.json": Checks.identityToPoint,
        "map-g1-raw.json": Checks.mapToPoint,
        "hash-prefixed.json": Checks.prefixedHash,
        "g1-mul.json": Checks.multiplyG1,
        "g1-add.json": Checks.addG1,
        "g2-mul.json": Checks.multiplyG2,
        "g2-add.json": Checks.addG2,
        "pairing-values.json": Checks.pairingValue,
        "pairing-products.json": Checks.pairingProduct,
        "mpin-twopass.json": Checks.twoPass,
        "mpin-timepermit.json": Checks.timePermit,
        "pin-encoding.json": Checks.pinReadings,
        "trust-twopass.json": Checks.designatedVerifierTwoPass,
        "dvs-sign.json": Checks.signature,
        "mpin-onepass.json": Checks.onePass,
        "malformed-points.json": Checks.malformedPoint,
        "malformed-protocol.json": Checks.malformedProtocol,
    ]
}

/// The computations for each file's cases. Their results are compared with the fields of the case.
enum Checks {}

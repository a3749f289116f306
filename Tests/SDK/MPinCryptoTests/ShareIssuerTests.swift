// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import Testing

/// An issuer's share of the server secret distinguishes its other shares from other points.
@Suite struct ShareIssuerTests {
    private let identity = MPinIdentity(MPinID(Array("alice".utf8))).hashed
    private let other = MPinIdentity(MPinID(Array("bob".utf8))).hashed

    @Test func aClientSecretShareIsOfOneIssuerAndIdentity() throws {
        let master = try MasterSecret.random()
        let stranger = try MasterSecret.random()
        let issuer = master.serverSecretShare()
        let share = try master.clientSecretShare(for: identity)
        #expect(issuer.isOfSameIssuer(as: share, for: identity))
        #expect(!issuer.isOfSameIssuer(as: share, for: other))
        #expect(!issuer.isOfSameIssuer(as: try master.clientSecretShare(for: other), for: identity))
        #expect(!issuer.isOfSameIssuer(as: try stranger.clientSecretShare(for: identity), for: identity))
        #expect(!stranger.serverSecretShare().isOfSameIssuer(as: share, for: identity))
    }

    @Test func aTimePermitShareIsOfOneDayAsWell() throws {
        let master = try MasterSecret.random()
        let issuer = master.serverSecretShare()
        let (day, next) = (try EpochDay(20_778), try EpochDay(20_779))
        let share = try master.timePermitShare(for: identity, on: day)
        #expect(issuer.isOfSameIssuer(as: share, for: identity, on: day))
        #expect(!issuer.isOfSameIssuer(as: share, for: identity, on: next))
        #expect(!issuer.isOfSameIssuer(as: share, for: other, on: day))
        // A client secret's share is a point of the group as well.
        let bytes = try master.clientSecretShare(for: identity).withBytes { span in
            span.indices.map { span[$0] }
        }
        #expect(!issuer.isOfSameIssuer(as: try TimePermitShare(bytes: bytes), for: identity, on: day))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Checks whether other shares come from the same issuer, given that issuer's share of the server secret: all are the
/// same multiple, of different points.
extension ServerSecretShare {
    /// Whether `share` is what the issuer of this share makes for this identity: e(share, Q) = e(A, this), with Q the
    /// generator of G2 and A the point of the identity.
    public func isOfSameIssuer(as share: ClientSecretShare, for identity: HashedIdentity) -> Bool {
        isSameMultiple(share.point.value, of: identity.point)
    }

    /// Whether `share` is what the issuer of this share makes for this identity on this day.
    public func isOfSameIssuer(as share: TimePermitShare, for identity: HashedIdentity, on day: EpochDay) -> Bool {
        isSameMultiple(share.point.value, of: identity.point(on: day))
    }

    private func isSameMultiple(_ multiple: AffinePoint<G1>, of point: AffinePoint<G1>) -> Bool {
        Pairing.product(PreparedPair(multiple, .generator), PlainPair(-point, self.point.value)) == .one
    }
}

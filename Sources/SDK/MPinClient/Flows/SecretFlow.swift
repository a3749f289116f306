// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Fetches the missing parts of a client secret and combines them (docs/protocol/milagro.md, section 6.2;
/// docs/protocol/miracl.md, section 8).
///
///     start   -> the request for the offer, or for the first missing share
///     offer   -> the first missing share
///     share   -> the next one, or the client secret
///
/// A server uses up a registration when it serves the first share. After a later failure only a restart helps.
struct SecretFlow: Flow {
    struct Outcome {
        let mpinID: MPinID
        let secret: ClientSecret
        let dtas: String?
    }

    enum Source {
        case request(Exchange<SecretOffer>)
        case offer(SecretOffer)
    }

    private enum State {
        case ready
        case awaitingOffer(Exchange<SecretOffer>)
        case awaitingShare(Exchange<ClientSecretShare>, SecretOffer, isSecondTry: Bool)
        case finished
    }

    private static let shareCount = 2

    let dialect: any Dialect
    let source: Source
    /// The private half of the identity's key; nil for identities without keys.
    let privateKey: SecretBytes?
    private var shares: [ClientSecretShare] = []
    private var state = State.ready

    init(dialect: any Dialect, source: Source, privateKey: SecretBytes?) {
        self.dialect = dialect
        self.source = source
        self.privateKey = privateKey
    }

    mutating func start() throws(MPinError) -> FlowStep<Outcome> {
        switch source {
        case .request(let exchange):
            state = .awaitingOffer(exchange)
            return .make(exchange.call)
        case .offer(let offer): return begin(offer)
        }
    }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Outcome> {
        switch state {
        case .awaitingOffer(let exchange):
            do { return begin(try exchange.reply(from: outcome)) } catch { throw explained(error) }
        case .awaitingShare(let exchange, let offer, let isSecondTry):
            do { shares.append(try exchange.reply(from: outcome)) } catch {
                guard offer.isRepeatable, error.kind == .network, error.httpStatus == nil else {
                    throw error.afterRegistrationWasUsedUp
                }
                guard !isSecondTry else { throw error }
                state = .awaitingShare(exchange, offer, isSecondTry: true)
                return .make(exchange.call)
            }
            guard shares.count == SecretFlow.shareCount else { return fetch(offer) }
            state = .finished
            return .finish(try combine(offer, exchange.call.place))
        case .ready, .finished: preconditionFailure("no call is out")
        }
    }

    private mutating func begin(_ offer: SecretOffer) -> FlowStep<Outcome> {
        shares = offer.share.map { [$0] } ?? []
        return fetch(offer)
    }

    private mutating func fetch(_ offer: SecretOffer) -> FlowStep<Outcome> {
        // The last addresses are those of the missing shares.
        let missing = SecretFlow.shareCount - shares.count
        let exchange = dialect.secretShare(at: offer.urls[offer.urls.count - missing], isDesignated: privateKey != nil)
        state = .awaitingShare(exchange, offer, isSecondTry: false)
        return .make(exchange.call)
    }

    private func combine(_ offer: SecretOffer, _ place: String) throws(MPinError) -> Outcome {
        guard shares[0].encoded != shares[1].encoded else {
            throw MPinError(
                .registrationGone, status: .responseParseError,
                detail: "\(place): the second share is a copy of the first")
        }
        do {
            let secret: ClientSecret
            if let privateKey {
                secret = try privateKey.withBytes { bytes throws(MPinCryptoError) in
                    try ClientSecret(combining: shares[0], shares[1], dvsKey: DVSPrivateKey(bytes: bytes))
                }
            } else {
                secret = try ClientSecret(combining: shares[0], shares[1])
            }
            return Outcome(mpinID: offer.mpinID, secret: secret, dtas: offer.dtas)
        } catch {
            throw MPinError(
                .registrationGone, status: .responseParseError,
                detail: "\(place): the shares make no secret: \(error)")
        }
    }

    /// Explains errors: 401 means that the person has not followed the mail yet, 400 and 404 that the server has no
    /// such registration. A success that cannot be read has used up the registration.
    private func explained(_ error: MPinError) -> MPinError {
        switch error.httpStatus {
        case 401: error.adding("; the person has not followed the activation mail yet: ask again later")
        case 400, 404, 200: error.afterRegistrationWasUsedUp
        default: error
        }
    }
}

extension SecretOffer {
    /// Whether a share may be asked for again without a reply: as long as none was given out, both addresses stay
    /// good.
    fileprivate var isRepeatable: Bool { share == nil }
}

// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Fetches both shares of the client secret of an identity whose person followed the activation mail (milagro protocol,
/// section 6.2).
///
///     start        -> first share
///     first share  -> second share
///     second share -> the client secret
///
/// The server uses the registration up when it serves the first share. Whatever fails after that leaves only a restart.
struct ConfirmationFlow: Flow {
    private enum State {
        case ready
        case awaitingFirstShare(Exchange<FirstSecretShare>)
        case awaitingSecondShare(FirstSecretShare, Exchange<ClientSecretShare>)
        case finished
    }

    let dialect: any Dialect
    let mpinID: MPinID
    let regOTT: SecretBytes
    let pushIdentifier: String?
    private var state = State.ready

    init(dialect: any Dialect, mpinID: MPinID, regOTT: SecretBytes, pushIdentifier: String?) {
        self.dialect = dialect
        self.mpinID = mpinID
        self.regOTT = regOTT
        self.pushIdentifier = pushIdentifier
    }

    mutating func start() throws(MPinError) -> FlowStep<ClientSecret> {
        let exchange = try dialect.firstSecretShare(of: mpinID, regOTT: regOTT, pushIdentifier: pushIdentifier)
        state = .awaitingFirstShare(exchange)
        return .make(exchange.call)
    }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<ClientSecret> {
        switch state {
        case .awaitingFirstShare(let exchange):
            let first: FirstSecretShare
            do { first = try exchange.reply(from: outcome) } catch { throw explained(error) }
            let next = dialect.secondSecretShare(first)
            state = .awaitingSecondShare(first, next)
            return .make(next.call)
        case .awaitingSecondShare(let first, let exchange):
            state = .finished
            let second: ClientSecretShare
            do { second = try exchange.reply(from: outcome) } catch { throw error.afterRegistrationWasUsedUp }
            do { return .finish(try ClientSecret(combining: first.share, second)) } catch {
                throw MPinError(
                    status: .responseParseError, detail: "\(exchange.call.place): the shares make no secret: \(error)",
                    registrationIsGone: true)
            }
        case .ready, .finished: preconditionFailure("no call is out")
        }
    }

    /// 401 means that the mail was not followed yet, 400 and 404 that the server has no such registration; a 200 that
    /// cannot be read has used the registration up.
    private func explained(_ error: MPinError) -> MPinError {
        switch error.httpStatus {
        case 401:
            error.adding("; the person has not followed the activation mail yet: ask again later")
        case 400, 404, 200: error.afterRegistrationWasUsedUp
        default: error
        }
    }
}

extension MPinError {
    fileprivate var afterRegistrationWasUsedUp: MPinError {
        MPinError(
            status: status, detail: detail + "; the server has no such registration any more: restart it",
            httpStatus: httpStatus, registrationIsGone: true, trustRefusal: trustRefusal)
    }

    fileprivate func adding(_ hint: String) -> MPinError {
        MPinError(status: status, detail: detail + hint, httpStatus: httpStatus, trustRefusal: trustRefusal)
    }
}

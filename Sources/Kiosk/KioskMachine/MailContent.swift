// SPDX-License-Identifier: Apache-2.0

/// The ways in which a mail lets a person confirm an address.
public enum MailContent: Sendable, CaseIterable {
    case code, link
    /// The mail has both, or it is not known which.
    case codeOrLink
}

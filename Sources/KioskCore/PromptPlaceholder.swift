// SPDX-License-Identifier: Apache-2.0

/// A gap in a sentence.
public enum PromptPlaceholder: String, Sendable, CaseIterable {
    case service, domain, application, customer, user, status, minimum, number, seconds
    // Signing.
    case page, pages, name, hash
}

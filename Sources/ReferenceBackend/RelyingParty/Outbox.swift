// SPDX-License-Identifier: Apache-2.0

/// The latest activation mails, newest first, in memory only: a link is worth an identity and does not outlive the hour.
actor Outbox {
    static let capacity = 100

    private(set) var mails: [ActivationMail] = []
    private let delivery: AsyncStream<ActivationMail>.Continuation?

    /// - Parameter delivery: where mails go besides the page; nil without a mail server.
    init(delivery: AsyncStream<ActivationMail>.Continuation?) { self.delivery = delivery }

    func send(_ mail: ActivationMail) {
        mails.insert(mail, at: 0)
        if mails.count > Self.capacity { mails.removeLast() }
        delivery?.yield(mail)
    }
}

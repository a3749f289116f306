// SPDX-License-Identifier: Apache-2.0

enum ProofWorker {
    /// Runs long work outside of the threads that serve connections.
    static func run(_ work: @Sendable () -> Bool) async -> Bool {
        @concurrent func perform(_ work: @Sendable () -> Bool) async -> Bool { work() }
        return await withTaskExecutorPreference(globalConcurrentExecutor) { await perform(work) }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// How a wait for a descriptor ended.
enum WaitEvent: Sendable { case input, error, timeout, stop }

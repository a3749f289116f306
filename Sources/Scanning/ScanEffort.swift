// SPDX-License-Identifier: Apache-2.0

/// How many passes a frame gets.
public enum ScanEffort: Sendable, Equatable {
    /// A few passes a frame within ``ScanPlan/budget``, others with the next: for cameras, where a frame that was
    /// missed is followed by a similar one. Where a code was just read is looked at first.
    case withinBudget
    /// Pass after pass until one finds: for pictures, where each frame is shown once.
    case untilFound
}

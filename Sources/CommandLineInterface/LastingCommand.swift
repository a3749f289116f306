// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser

/// A command that goes on until it is told to stop, and then ends orderly. It has to listen to `StopSignals`: they are
/// held from the program's first statement on, so that one that comes early is heard as well.
public protocol LastingCommand: AsyncParsableCommand {}

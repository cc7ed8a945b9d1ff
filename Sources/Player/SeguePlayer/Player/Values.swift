extension QueuePlayer {
    /// What a property is, and then each value that it becomes, as key-value observing tells it.
    ///
    /// ```swift
    /// for await status in player.values(of: \.timeControlStatus) where status == .playing { … }
    /// ```
    ///
    /// - Parameter property: The property, such as `\.timeControlStatus` or `\.currentItem?.status`.
    /// - Returns: The values, the present one first.
    public func values<Value: Equatable & Sendable>(of property: KeyPath<QueuePlayer, Value>) -> AsyncStream<Value> {
        observed.stream { [unowned self] in self[keyPath: property] }
    }

    /// Calls a closure with each value that a property becomes.
    ///
    /// What the app's own call changes is told before that call returns, as on Apple's platforms; what changes by itself,
    /// such as by what has come, as soon as it is the main actor's turn. An app that is suspended is told when it runs again.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - closure: What is called with the new value.
    /// - Returns: What ends it, when it is cancelled; it need not be kept.
    @discardableResult
    public func observe<Value: Equatable>(
        _ property: KeyPath<QueuePlayer, Value>,
        _ closure: @escaping @MainActor (Value) -> Void
    ) -> Observation {
        observed.add({ [unowned self] in self[keyPath: property] }, closure)
    }
}

extension PlayerItem {
    /// What a property is, and then each value that it becomes, from before a player takes it.
    ///
    /// - Parameter property: The property, such as `\.status` or `\.loadedTimeRanges`.
    /// - Returns: The values, the present one first.
    public func values<Value: Equatable & Sendable>(of property: KeyPath<PlayerItem, Value>) -> AsyncStream<Value> {
        observed.stream { [unowned self] in self[keyPath: property] }
    }

    /// Calls a closure with each value that a property becomes, as ``QueuePlayer/observe(_:_:)`` does.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - closure: What is called with the new value.
    /// - Returns: What ends it, when it is cancelled; it need not be kept.
    @discardableResult
    public func observe<Value: Equatable>(
        _ property: KeyPath<PlayerItem, Value>,
        _ closure: @escaping @MainActor (Value) -> Void
    ) -> Observation {
        observed.add({ [unowned self] in self[keyPath: property] }, closure)
    }
}

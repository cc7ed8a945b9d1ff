extension QueuePlayer {
    /// Returns the present value of a property, and each value that follows, like key-value observing.
    ///
    /// ```swift
    /// for await status in player.values(of: \.timeControlStatus) where status == .playing { … }
    /// ```
    ///
    /// - Parameter property: The property, such as `\.timeControlStatus` or `\.currentItem?.status`.
    /// - Returns: The values, beginning with the present one.
    public func values<Value: Equatable & Sendable>(of property: KeyPath<QueuePlayer, Value>) -> AsyncStream<Value> {
        observed.stream { [unowned self] in self[keyPath: property] }
    }

    /// Calls a closure with each new value of a property.
    ///
    /// A change by a call of the app is reported before the call returns, as on Apple's platforms. Other changes, such
    /// as the arrival of data, are reported when the main actor is free. A suspended app receives them when it resumes.
    ///
    /// - Parameters:
    ///   - closure: The closure, which receives the new value.
    /// - Returns: An observation, which need not be kept; cancel it to stop.
    @discardableResult
    public func observe<Value: Equatable>(
        _ property: KeyPath<QueuePlayer, Value>,
        _ closure: @escaping @MainActor (Value) -> Void
    ) -> Observation {
        observed.add({ [unowned self] in self[keyPath: property] }, closure)
    }
}

extension PlayerItem {
    /// Returns the present value of a property, and each value that follows, even before the item is in a queue.
    ///
    /// - Parameter property: The property, such as `\.status` or `\.loadedTimeRanges`.
    /// - Returns: The values, beginning with the present one.
    public func values<Value: Equatable & Sendable>(of property: KeyPath<PlayerItem, Value>) -> AsyncStream<Value> {
        observed.stream { [unowned self] in self[keyPath: property] }
    }

    /// Calls a closure with each new value of a property, like ``QueuePlayer/observe(_:_:)``.
    ///
    /// - Parameters:
    ///   - closure: The closure, which receives the new value.
    /// - Returns: An observation, which need not be kept; cancel it to stop.
    @discardableResult
    public func observe<Value: Equatable>(
        _ property: KeyPath<PlayerItem, Value>,
        _ closure: @escaping @MainActor (Value) -> Void
    ) -> Observation {
        observed.add({ [unowned self] in self[keyPath: property] }, closure)
    }
}

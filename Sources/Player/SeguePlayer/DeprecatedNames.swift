extension User {
    /// The former name of ``User/Action``.
    @available(*, deprecated, renamed: "Action")
    public typealias Wish = Action
}

namespace Emu;

/// <summary>
/// Marks a method that reads how long a header is, where that differs from frame to frame, as in TCP, most of whose
/// segments have options. A circuit then takes the bytes behind the header from all places where they can be, if a
/// field of at most four bits decides; of other headers it takes those without options, and leaves the rest to its slow
/// path. What is computed is the same.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class VariedLengthAttribute : Attribute;

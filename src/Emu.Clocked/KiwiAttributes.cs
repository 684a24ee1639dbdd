namespace KiwiSystem;

public static partial class Kiwi
{
    /// <summary>The method at which a circuit begins.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class HardwareEntryPointAttribute : Attribute
    {
        /// <summary>Marks it.</summary>
        public HardwareEntryPointAttribute()
        {
        }

        /// <summary>Marks it.</summary>
        /// <param name="control">The mode with which each thread begins.</param>
        public HardwareEntryPointAttribute(PauseControl control) => Control = control;

        /// <summary>Marks it.</summary>
        /// <param name="name">The name of the module.</param>
        public HardwareEntryPointAttribute(string name) => Name = name;

        /// <summary>The mode with which each thread begins.</summary>
        public PauseControl Control { get; } = PauseControl.hardPauseEnable;

        /// <summary>The name of the module; null for the class's.</summary>
        public string? Name { get; }
    }

    /// <summary>A static field that is a port.</summary>
    /// <param name="name">The port's name; null for the field's.</param>
    [AttributeUsage(AttributeTargets.Field)]
    public abstract class PortAttribute(string? name) : Attribute
    {
        /// <summary>The port's name; null for the field's.</summary>
        public string? Name { get; } = name;

        /// <summary>True if the circuit reads it, false if it drives it from a register.</summary>
        public abstract bool IsInput { get; }
    }

    /// <summary>An input as wide as its field.</summary>
    public class InputBitPortAttribute(string? name = null) : PortAttribute(name)
    {
        /// <inheritdoc/>
        public override bool IsInput => true;
    }

    /// <summary>An output as wide as its field.</summary>
    public class OutputBitPortAttribute(string? name = null) : PortAttribute(name)
    {
        /// <inheritdoc/>
        public override bool IsInput => false;
    }

    /// <summary>An input as wide as its field.</summary>
    public sealed class InputWordPortAttribute : InputBitPortAttribute
    {
        /// <summary>Marks it.</summary>
        /// <param name="name">The port's name; null for the field's.</param>
        public InputWordPortAttribute(string? name = null) : base(name)
        {
        }

        /// <summary>Marks it.</summary>
        /// <param name="high">The highest bit; the field's type says how many there are.</param>
        /// <param name="low">The lowest bit.</param>
        /// <param name="name">The port's name; null for the field's.</param>
        public InputWordPortAttribute(int high, int low, string? name = null) : base(name) =>
            (High, Low) = (high, low);

        /// <summary>The highest bit; null when not given.</summary>
        public int? High { get; }

        /// <summary>The lowest bit; null when not given.</summary>
        public int? Low { get; }
    }

    /// <summary>An output as wide as its field.</summary>
    public sealed class OutputWordPortAttribute : OutputBitPortAttribute
    {
        /// <summary>Marks it.</summary>
        /// <param name="name">The port's name; null for the field's.</param>
        public OutputWordPortAttribute(string? name = null) : base(name)
        {
        }

        /// <summary>Marks it.</summary>
        /// <param name="high">The highest bit; the field's type says how many there are.</param>
        /// <param name="low">The lowest bit.</param>
        /// <param name="name">The port's name; null for the field's.</param>
        public OutputWordPortAttribute(int high, int low, string? name = null) : base(name) =>
            (High, Low) = (high, low);

        /// <summary>The highest bit; null when not given.</summary>
        public int? High { get; }

        /// <summary>The lowest bit; null when not given.</summary>
        public int? Low { get; }
    }

    /// <summary>An input of eight bits.</summary>
    public sealed class InputBytePortAttribute(string? name = null) : InputBitPortAttribute(name);

    /// <summary>An output of eight bits.</summary>
    public sealed class OutputBytePortAttribute(string? name = null) : OutputBitPortAttribute(name);

    /// <summary>An input as wide as its field, under a name of its own.</summary>
    public sealed class InputNameAttribute(string name) : InputBitPortAttribute(name);

    /// <summary>An output as wide as its field, under a name of its own.</summary>
    public sealed class OutputNameAttribute(string name) : OutputBitPortAttribute(name);

    /// <summary>The low bits of a port's field that are the port: above them an input is 0. For ports only.</summary>
    /// <param name="width">The number of bits.</param>
    [AttributeUsage(AttributeTargets.Field)]
    public sealed class HwWidthAttribute(int width) : Attribute
    {
        /// <summary>The number of bits.</summary>
        public int Width { get; } = width;
    }

    /// <summary>A field that another thread, or the outside, changes.</summary>
    [AttributeUsage(AttributeTargets.Field)]
    public sealed class VolatileAttribute : Attribute;

    /// <summary>A hint for other compilers: the class is a circuit.</summary>
    [AttributeUsage(AttributeTargets.All)]
    public sealed class HardwareAttribute : Attribute;
}

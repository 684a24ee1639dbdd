using Emu.Clocked;

namespace KiwiSystem;

public static partial class Kiwi
{
    /// <summary>
    /// An attribute that asks another compiler for a circuit of another shape: what is marked with it is refused here,
    /// with its line (EMU0030).
    /// </summary>
    [AttributeUsage(AttributeTargets.All, AllowMultiple = true)]
    public abstract class OtherCircuitAttribute(params object[] arguments) : Attribute
    {
        /// <summary>The things that are asked for.</summary>
        public IReadOnlyList<object> Arguments { get; } = arguments;
    }

    /// <summary>A method that another circuit calls. Does not compile.</summary>
    public sealed class RemoteAttribute(string? protocol = null) : OtherCircuitAttribute
    {
        /// <summary>The protocol.</summary>
        public string? Protocol { get; } = protocol;
    }

    /// <summary>A class that another circuit calls. Does not compile.</summary>
    public sealed class RemoteClassAttribute(string? protocol = null) : OtherCircuitAttribute
    {
        /// <summary>The protocol.</summary>
        public string? Protocol { get; } = protocol;
    }

    /// <summary>A method of another circuit. Does not compile.</summary>
    public sealed class StubAttribute(string? name = null) : OtherCircuitAttribute
    {
        /// <summary>The name.</summary>
        public string? Name { get; } = name;
    }

    /// <summary>A method that serves another circuit. Does not compile.</summary>
    public sealed class ServerAttribute(string? name = null) : OtherCircuitAttribute
    {
        /// <summary>The name.</summary>
        public string? Name { get; } = name;
    }

    /// <summary>A method that is to become a pipeline. Does not compile.</summary>
    public sealed class PipelinedAcceleratorAttribute(params object[] arguments) : OtherCircuitAttribute(arguments);

    /// <summary>Names of a clock and a reset. Does not compile: they are <c>clk</c> and <c>reset</c>.</summary>
    public sealed class ClockDomAttribute(
        string clockName, string resetName, string compositeAttributes = "", string clockEnableName = "")
        : OtherCircuitAttribute
    {
        /// <summary>The names, and what else is asked for.</summary>
        public IReadOnlyList<string> Names { get; } = [clockName, resetName, compositeAttributes, clockEnableName];
    }

    /// <summary>An array in a memory outside the circuit. Does not compile.</summary>
    public sealed class OutboardArrayAttribute(params object[] arguments) : OtherCircuitAttribute(arguments);

    /// <summary>A property in temporal logic. Does not compile.</summary>
    public sealed class AssertCTLAttribute(params object[] arguments) : OtherCircuitAttribute(arguments);

    /// <summary>An operator of temporal logic. Does not compile.</summary>
    public sealed class CTLInternalAttribute(string name) : OtherCircuitAttribute(name);

    /// <summary>A method that is part of another compiler. Does not compile.</summary>
    public sealed class HprPrimitiveFunctionAttribute(params object[] arguments) : OtherCircuitAttribute(arguments);

    /// <summary>A hint about memories or code: it changes nothing here.</summary>
    [AttributeUsage(AttributeTargets.All, AllowMultiple = true)]
    public abstract class HintAttribute(params object[] arguments) : Attribute
    {
        /// <summary>The things that are asked for.</summary>
        public IReadOnlyList<object> Arguments { get; } = arguments;
    }

    /// <summary>A field that is known at compile time.</summary>
    public sealed class ElaborateAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>A variable that is known at compile time.</summary>
    public sealed class SubsumeAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>A place for performance counting.</summary>
    public sealed class KppMarkerAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>The memory that an object is to be in.</summary>
    public sealed class MemSpaceAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>A memory of words of several banks.</summary>
    public sealed class StripeAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>A memory that is there several times.</summary>
    public sealed class MirrorAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>A memory of wider words.</summary>
    public sealed class WidenAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>A memory with several ports.</summary>
    public sealed class MultiPortRegfileAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>The ports of a memory for each thread.</summary>
    public sealed class PortsPerThreadAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>The threads for each port of a memory.</summary>
    public sealed class ThreadsPerPortAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>A memory that is read a number of cycles later: here always in the cycle that asks.</summary>
    public sealed class SynchSRAMAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>A memory that is read in the cycle that asks.</summary>
    public sealed class CombSRAMAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>An array that nothing writes.</summary>
    public sealed class RomArrayAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>
    /// A method that only changes the type of bits, as <see cref="BitConverter"/> does. One of a whole number to
    /// another of as many bits has no body in a circuit; another compiles as it is.
    /// </summary>
    public sealed class FastBitConvertAttribute : HintAttribute;

    /// <summary>A class that is a circuit.</summary>
    public sealed class HardwareModuleAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>A hint that something is no circuit.</summary>
    public sealed class SoftwareAttribute(params object[] arguments) : HintAttribute(arguments);

    /// <summary>Arithmetic on addresses. Does not compile.</summary>
    /// <typeparam name="T">The type of the objects.</typeparam>
    public class ObjectHandler<T>
    {
        /// <summary>Does not compile.</summary>
        public int size() => -1;

        /// <summary>Does not compile.</summary>
        public T? handleArith(object baser, int offset) => default;
    }

    /// <summary>
    /// A number that is fixed where the circuit is made: that which the field begins with, or where nothing was
    /// computed with it before, another that is given to the module.
    /// </summary>
    /// <param name="name">The name of the parameter.</param>
    /// <param name="value">Its number.</param>
    [AttributeUsage(AttributeTargets.Field)]
    public sealed class RtlParameterAttribute(string name, int value = 0) : Attribute
    {
        /// <summary>The name of the parameter.</summary>
        public string Name { get; } = name;

        /// <summary>Its number.</summary>
        public int Value { get; } = value;
    }
}

/// <summary>Methods that are part of another compiler.</summary>
public static class hpr_primitives
{
    /// <summary>Ends the thread, as an exception does: it stays there, and others go on.</summary>
    public static void hpr_sysexit(byte arg) => throw new CompletionException();

    /// <summary>Sets lights of a board. Does not compile: use an output.</summary>
    public static void hpr_sysleds(byte arg)
    {
    }
}

/// <summary>Failures that a program reports by itself.</summary>
public static class KiwiBasicStatusMonitor
{
    /// <summary>Prints the message and the code, and ends the thread.</summary>
    public static void RunTimeAbend(string errorMessage, int code)
    {
        Kiwi.WriteLine("  Kiwi RunTimeAbend  msg={0} code={1}", errorMessage, code);
        hpr_primitives.hpr_sysexit((byte)(32 + (code & 31)));
    }
}

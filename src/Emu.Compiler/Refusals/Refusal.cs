using Emu.Compiler.Diagnostics;

namespace Emu.Compiler.Refusals;

/// <summary>The number and the reason with which code is refused, by the compiler and in an editor alike.</summary>
/// <param name="Number">One of <see cref="DiagnosticNumber"/>.</param>
/// <param name="Reason">The problem and its reason, then what to write instead, on one line.</param>
internal readonly record struct Refusal(int Number, string Reason)
{
    private const string DropInstead = "drop the frame instead, or count what went wrong";
    private const string ScaledIntegers = "use integers, scaled where needed";

    /// <summary>A static field's array is written.</summary>
    public static Refusal WrittenStatic { get; } = new(
        DiagnosticNumber.WrittenConstant,
        "what a static field holds is written; services would share it, keep what changes in a field of the service");

    /// <summary>An exception object that the service makes.</summary>
    /// <param name="type">The exception's class.</param>
    public static Refusal Exception(string type) =>
        new(DiagnosticNumber.ThrownException, $"an exception is thrown ({type}); {DropInstead}");

    /// <summary>An exception of a class that is not known.</summary>
    public static Refusal Throw { get; } =
        new(DiagnosticNumber.ThrownException, $"an exception is thrown; {DropInstead}");

    /// <summary>A switch expression without an arm for the rest.</summary>
    public static Refusal UnmatchedSwitch { get; } = new(
        DiagnosticNumber.ThrownException,
        "a switch expression throws an exception where no arm matches; give it an arm for the rest, _ => …");

    /// <summary>The value of a nullable that may have none.</summary>
    public static Refusal NullableValue { get; } = new(
        DiagnosticNumber.ThrownException,
        "Value of a nullable may throw; use 'is { } name', ?? or GetValueOrDefault");

    /// <summary>A new array.</summary>
    public static Refusal NewArray { get; } = new(
        DiagnosticNumber.Allocation, "an array is allocated while a frame is handled; make it in the constructor");

    /// <summary>An array of several dimensions.</summary>
    public static Refusal ArrayOfSeveralDimensions { get; } = new(
        DiagnosticNumber.NoModel,
        "an array of several dimensions does not compile; use an array of arrays, "
        + "or one array and index * width + column");

    /// <summary>Arithmetic of floating point.</summary>
    public static Refusal FloatingPoint { get; } =
        new(DiagnosticNumber.FloatingPoint, $"floating point does not compile; {ScaledIntegers}");

    /// <summary>A checked product of 128 bits.</summary>
    public static Refusal WideCheckedProduct { get; } = new(
        DiagnosticNumber.WideChecked,
        "checked multiplication of 128 bits does not compile; test the operands first, and multiply unchecked");

    /// <summary>Memory on the stack whose size is computed.</summary>
    public static Refusal ComputedStackSize { get; } = new(
        DiagnosticNumber.UnsafeCode,
        "stackalloc of a size that is computed does not compile; give it the greatest size, and take a slice");

    /// <summary>Memory on the stack, allocated in a loop.</summary>
    public static Refusal StackInLoop { get; } = new(
        DiagnosticNumber.UnsafeCode, "stackalloc in a loop does not compile; allocate before the loop");

    /// <summary>An address in arithmetic.</summary>
    public static Refusal AddressAsNumber { get; } = new(
        DiagnosticNumber.UnsafeCode, "an address is used as a number; use spans, or arrays and indexes");

    /// <summary>An address of memory that is no variable.</summary>
    public static Refusal UnknownAddress { get; } = new(
        DiagnosticNumber.UnsafeCode,
        "an address is used that is no reference to a variable, a field or an element; use spans, "
        + "or arrays and indexes");

    /// <summary>A lock statement.</summary>
    public static Refusal Lock { get; } = new(
        DiagnosticNumber.TryBlock, $"lock is a try block; {Advice("System.Threading", "Monitor")}");

    /// <summary>A using statement.</summary>
    public static Refusal Using { get; } = new(
        DiagnosticNumber.TryBlock,
        "using is a try block; make the object in the constructor, and leave its disposal to the host");

    /// <summary>A call of an async method.</summary>
    public static Refusal AsyncCall { get; } = OfMember(Plain("System.Threading.Tasks", "Task"), ".ctor");

    /// <summary>An interpolated string.</summary>
    public static Refusal InterpolatedString { get; } =
        OfMember(Plain("System.Runtime.CompilerServices", "DefaultInterpolatedStringHandler"), ".ctor");

    /// <summary>A range of an array.</summary>
    public static Refusal RangeOfArray { get; } =
        OfMember(Plain("System.Runtime.CompilerServices", "RuntimeHelpers"), "GetSubArray");

    /// <summary>A fixed statement over a span.</summary>
    public static Refusal FixedSpan { get; } = OfMember(Plain("System", "Span`1"), "GetPinnableReference");

    /// <summary>A value of a type of floating point.</summary>
    /// <param name="type">The type's name in metadata: <c>Double</c>.</param>
    public static Refusal FloatingType(string type) =>
        new(DiagnosticNumber.FloatingPoint, $"{type} does not compile; {ScaledIntegers}");

    /// <summary>A static field that is not readonly.</summary>
    public static Refusal MutableStatic(string field) => new(
        DiagnosticNumber.MutableStatic,
        $"the static field {field} can change; make it readonly, or a field of the service");

    /// <summary>A field that is given another object.</summary>
    /// <param name="field">The field's name, as <see cref="CleanName"/> makes it.</param>
    public static Refusal KeptObject(string field) => new(
        DiagnosticNumber.KeptObject,
        $"{field} is given another object while a frame is handled; "
        + "objects are fixed when the service is constructed, keep an index instead");

    /// <summary>A field, an element or a variable of the clock level that is given another object.</summary>
    /// <param name="what">It, as a subject.</param>
    public static Refusal ClockedObject(string what) => new(
        DiagnosticNumber.KeptObject,
        $"{what} is given another object while the circuit runs; objects are fixed before the first pause, "
        + "keep an index into an array instead");

    /// <summary>Calls that are nested too deep.</summary>
    /// <param name="deepest">The greatest number of calls inside each other.</param>
    public static Refusal Recursion(int deepest) => new(
        DiagnosticNumber.Recursion,
        $"calls are nested more than {deepest} deep: recursion has no bound in hardware; write a loop");

    /// <summary>A method without a body.</summary>
    public static Refusal NoCode(string? type, string method) => new(
        DiagnosticNumber.NoCode,
        $"{type}.{method} has no code to translate; write it in C#, in a class that the constructor makes");

    /// <summary>A method with a catch block.</summary>
    public static Refusal Catch(string method) => new(
        DiagnosticNumber.TryBlock,
        $"{method} catches exceptions; a fault ends the event, so test for what can go wrong before");

    /// <summary>A method with a finally block.</summary>
    public static Refusal Finally(string method) => new(
        DiagnosticNumber.TryBlock,
        $"{method} has a finally block; nothing runs behind a fault, so write what it does at the end");

    /// <summary>A foreach whose enumerator is disposed of.</summary>
    /// <param name="enumerated">The type whose GetEnumerator is called.</param>
    public static Refusal ForEach(TypeNames enumerated) => new(
        DiagnosticNumber.TryBlock,
        $"foreach over {enumerated.ShortName} is a try block; "
        + (WaysOut.Find(enumerated)?.Instead ?? "loop over a span or an array"));

    /// <summary>A struct whose fields overlap.</summary>
    public static Refusal OverlappingFields(string type) => new(
        DiagnosticNumber.StructLayout,
        $"the fields of {type} may overlap; use a plain struct, and shifts or BinaryPrimitives for the "
        + "other view of its bits");

    /// <summary>A struct with a fixed buffer.</summary>
    public static Refusal FixedBuffer(string type) => new(
        DiagnosticNumber.StructLayout,
        $"{type} has a fixed buffer; use an inline array, or an array that the constructor makes");

    /// <summary>A value that is put into an object.</summary>
    /// <param name="type">The value's type in metadata.</param>
    /// <param name="method">The method that is given the object.</param>
    public static Refusal Box(string type, string method) => new(
        DiagnosticNumber.Allocation,
        $"{type} is put into a box for {method}, "
        + "which is memory allocated while a frame is handled; use its own type, or a type parameter");

    /// <summary>A member of .NET that does not compile, with what to write instead.</summary>
    /// <param name="type">The type that declares it.</param>
    /// <param name="member">The name that C# has for it: that of the property behind an accessor.</param>
    public static Refusal OfMember(TypeNames type, string member)
    {
        var advice = WaysOut.Find(type, member)
            ?? new WayOut("docs/dotnet.md lists what does: write it out, or use what Emu.Core has");
        return new Refusal(
            advice.Number ?? DiagnosticNumber.NoModel,
            $"{advice.Describe(WaysOut.Text(type, member))}; {advice.Instead}");
    }

    /// <summary>A static method of an exception, which throws it.</summary>
    public static Refusal ThrowHelper(TypeNames type, string member) =>
        new(DiagnosticNumber.ThrownException, $"{WaysOut.Text(type, member)} throws an exception; {DropInstead}");

    /// <summary>An object that is made while a frame is handled.</summary>
    public static Refusal NewObject(TypeNames type)
    {
        var advice = WaysOut.Find(type);
        var made = CleanName(type.ShortName) is { Length: > 0 } name ? name : "an anonymous type";
        if (advice?.Number is { } number)
            return new Refusal(number, $"{advice.Describe($"new {made}")}; {advice.Instead}");
        var subject = IsOfCompiler(type.Name) ? $"C# makes it for {made}" : $"new {made}";
        return new Refusal(
            DiagnosticNumber.Allocation,
            $"an object is allocated while a frame is handled ({subject}); "
            + (advice?.Instead ?? "make it in the constructor"));
    }

    /// <summary>
    /// A field's or a type's name as a person wrote it: the C# compiler's names for properties, iterators and captured
    /// parameters are undone.
    /// </summary>
    public static string CleanName(string name) =>
        IsOfCompiler(name) ? name.Substring(1, name.IndexOf('>') - 1)
        : name.StartsWith("s_", StringComparison.Ordinal) ? name.Substring(2)
        : name.TrimStart('_');

    private static bool IsOfCompiler(string name) => name.Length > 0 && name[0] == '<';

    private static TypeNames Plain(string @namespace, string name) => new($"{@namespace}.{name}", @namespace, name, []);

    private static string Advice(string @namespace, string type) => WaysOut.Find(Plain(@namespace, type))!.Instead;
}

namespace Emu.Compiler.Diagnostics;

/// <summary>
/// The numbers of the diagnostics; each has a page in docs/diagnostics. A number is never given to another reason.
/// </summary>
public static class DiagnosticNumber
{
    /// <summary>A method's CIL cannot be read.</summary>
    public const int InvalidCil = 1;

    /// <summary>A span or a reference lies over one of several memories, depending on the way to it.</summary>
    public const int SeveralPlaces = 2;

    /// <summary>The service writes to an object that a static field holds.</summary>
    public const int WrittenConstant = 3;

    /// <summary>A string is used.</summary>
    public const int Text = 4;

    /// <summary>An object, or the length of an array, is not known at compile time.</summary>
    public const int UnknownObject = 5;

    /// <summary>An object or a span is to be kept from one frame to the next.</summary>
    public const int KeptObject = 6;

    /// <summary>A method calls itself.</summary>
    public const int Recursion = 7;

    /// <summary>A method has no CIL.</summary>
    public const int NoCode = 8;

    /// <summary>A method has a <c>try</c> block.</summary>
    public const int TryBlock = 9;

    /// <summary>An exception is thrown.</summary>
    public const int ThrownException = 10;

    /// <summary>Memory is allocated while a frame is handled.</summary>
    public const int Allocation = 11;

    /// <summary>An instruction has no translation.</summary>
    public const int Instruction = 12;

    /// <summary>Floating point is used.</summary>
    public const int FloatingPoint = 13;

    /// <summary>A static field that can change is used.</summary>
    public const int MutableStatic = 14;

    /// <summary>A checked multiplication of 128 bits.</summary>
    public const int WideChecked = 15;

    /// <summary>A method of .NET is called that has no model.</summary>
    public const int NoModel = 16;

    /// <summary>The layout asked for is not possible.</summary>
    public const int Layout = 18;

    /// <summary>Addresses are used as numbers, or memory of the stack.</summary>
    public const int UnsafeCode = 20;

    /// <summary>A struct whose fields overlap, or are more than it names.</summary>
    public const int StructLayout = 21;

    /// <summary>The type cannot be constructed as a service.</summary>
    public const int NoService = 22;

    /// <summary>The service's constructor threw an exception.</summary>
    public const int FailedConstructor = 23;

    /// <summary>With every call in its place the service is too large.</summary>
    public const int TooLarge = 24;

    /// <summary>The compiler failed: a bug of its own.</summary>
    public const int InternalError = 25;

    /// <summary>The interval asked for cannot be met.</summary>
    public const int Interval = 26;

    /// <summary>The registers of the service are more than the AXI4-Lite window has addresses for.</summary>
    public const int RegisterMap = 27;

    /// <summary>Logic between two flops that the clock has no time for: a warning, the circuit is made.</summary>
    public const int LongPath = 28;

    /// <summary>More LUTs than asked for: a warning, the circuit is made.</summary>
    public const int Size = 29;

    /// <summary>A member of the clock level's dialect that does not compile.</summary>
    public const int ClockedMember = 30;

    /// <summary>A loop at the clock level that neither pauses nor has a bound.</summary>
    public const int PauseFreeLoop = 31;

    /// <summary>More accesses to a memory in a cycle than it has ports.</summary>
    public const int MemoryPort = 32;

    /// <summary>An operation at the clock level that no cycle has time for.</summary>
    public const int LongOperation = 33;

    /// <summary>A program of the clock level without an entry point, or with a port that is none.</summary>
    public const int ClockedProgram = 34;

    /// <summary>Two threads write one variable in a cycle.</summary>
    public const int TwoWriters = 35;

    /// <summary>Text at the clock level that no circuit prints.</summary>
    public const int PrintedText = 36;

    /// <summary>A service that has no form as a program of the clock level.</summary>
    public const int Dialect = 37;

    /// <summary>A method whose Verilog is missing, or is not what the method asks of it.</summary>
    public const int VerilogCore = 40;
}
